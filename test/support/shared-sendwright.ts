import { type SendwrightOptions, startTestSendwright, type TestSendwright } from './sendwright.ts'
import { stopWithWorker } from './worker-stops.ts'

/**
 * A service of many test files. Each file has teams of its own, and leaves the whole service as it was; the next one may find it
 * restarted. `mx` keeps what it received for other files: look for ids, domains and destinations of your own.
 */
export type SharedSendwright = Omit<TestSendwright, 'reload' | 'stop'>

const KINDS = {
  direct: {},
  capture: { environment: { SENDWRIGHT_DELIVERY: 'capture' } },
  webhooks: {
    environment: { SENDWRIGHT_DELIVERY: 'capture' },
    roles: ['api', 'deliver', 'scheduler', 'webhooks'],
  },
} satisfies Record<string, SendwrightOptions>

let current: { kind: keyof typeof KINDS; service: Promise<TestSendwright> } | null = null
let stopsWithWorker = false

/**
 * Returns the service of this worker, which starts once for all files that share it: `direct` has the default settings of
 * `startTestSendwright`, `capture` captures emails, and `webhooks` also sends webhooks. It stops when the worker ends, or when a
 * file shares another kind.
 */
export async function shareSendwright(kind: keyof typeof KINDS): Promise<SharedSendwright> {
  if (current?.kind !== kind) {
    await stopCurrent()
    current = { kind, service: startTestSendwright(KINDS[kind]) }
    if (!stopsWithWorker) stopWithWorker(stopCurrent)
    stopsWithWorker = true
  }
  return current.service
}

async function stopCurrent(): Promise<void> {
  const stopped = current
  current = null
  await (await stopped?.service)?.stop()
}
