import type { Log } from '../lib/log.ts'
import type { Clock } from '../lib/time/clock.ts'

const MINUTE_MS = 60_000
/** Uses are collected for this long and written together. */
const GATHER_MS = 1_000

export interface LastUse<Use extends { at: Date }> {
  record(id: string, use: Use): void
  /** Writes the collected uses. */
  stop(): Promise<void>
}

/**
 * Tracks when records were last used, to the minute. The first use in a minute is written a moment later, together
 * with others; further uses in that minute cost only a map look-up.
 */
export function createLastUse<Use extends { at: Date }>({
  clock,
  log,
  kind,
  write,
}: {
  clock: Clock
  log: Log
  /** The name of the records in the log. */
  kind: string
  write(uses: readonly Use[]): Promise<void>
}): LastUse<Use> {
  const recordedAtMs = new Map<string, number>()
  let pending: Use[] = []
  let timer: NodeJS.Timeout | null = null

  async function flush(): Promise<void> {
    timer = null
    const uses = pending
    pending = []
    dropOld()
    if (uses.length === 0) return
    try {
      await write(uses)
    } catch (error) {
      // The next use in another minute is written again. A failure must not affect requests.
      log.warn({ err: error, count: uses.length }, `could not record the last use of ${kind}`)
    }
  }

  function dropOld(): void {
    const nowMs = clock.now().getTime()
    for (const [id, atMs] of recordedAtMs) if (nowMs - atMs >= MINUTE_MS) recordedAtMs.delete(id)
  }

  return {
    record(id, use) {
      const recordedMs = recordedAtMs.get(id)
      if (recordedMs !== undefined && use.at.getTime() - recordedMs < MINUTE_MS) return
      recordedAtMs.set(id, use.at.getTime())
      pending.push(use)
      timer ??= setTimeout(() => void flush(), GATHER_MS).unref()
    },
    async stop() {
      if (timer !== null) clearTimeout(timer)
      await flush()
    },
  }
}
