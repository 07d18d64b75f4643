import type { Log } from '../../../lib/log.ts'

/**
 * Reloads the files. An invalid file leaves the previous one in force. Does nothing during the start, which reads
 * every file itself.
 */
export async function reload(service: { reload(): Promise<void> } | null, log: Log): Promise<void> {
  await service
    ?.reload()
    .catch((error: unknown) =>
      log.error({ err: error }, 'the reload on SIGHUP failed, and nothing was changed'),
    )
}
