import type { Log } from '../lib/log.ts'
import type { Clock } from '../lib/time/clock.ts'

const MINUTE_MS = 60_000
/** How long uses are gathered before they are written together. */
const GATHER_MS = 1_000

export interface LastUse<Use extends { at: Date }> {
  note(id: string, use: Use): void
  /** Writes what is gathered. */
  stop(): Promise<void>
}

/**
 * Keeps when something was last used, to the minute: the first use in a minute is written a moment later, together with
 * those of all others; further uses in that minute cost a look into a map.
 */
export function createLastUse<Use extends { at: Date }>({
  clock,
  log,
  what,
  write,
}: {
  clock: Clock
  log: Log
  /** For the log. */
  what: string
  write(uses: readonly Use[]): Promise<void>
}): LastUse<Use> {
  const notedAtMs = new Map<string, number>()
  let gathered: Use[] = []
  let timer: NodeJS.Timeout | null = null

  async function flush(): Promise<void> {
    timer = null
    const uses = gathered
    gathered = []
    forgetOld()
    if (uses.length === 0) return
    try {
      await write(uses)
    } catch (error) {
      // The next use in another minute writes it again; no request must fail for this.
      log.warn({ err: error, count: uses.length }, `could not note the last use of ${what}`)
    }
  }

  function forgetOld(): void {
    const nowMs = clock.now().getTime()
    for (const [id, atMs] of notedAtMs) if (nowMs - atMs >= MINUTE_MS) notedAtMs.delete(id)
  }

  return {
    note(id, use) {
      const notedMs = notedAtMs.get(id)
      if (notedMs !== undefined && use.at.getTime() - notedMs < MINUTE_MS) return
      notedAtMs.set(id, use.at.getTime())
      gathered.push(use)
      timer ??= setTimeout(() => void flush(), GATHER_MS).unref()
    },
    async stop() {
      if (timer !== null) clearTimeout(timer)
      await flush()
    },
  }
}
