import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Db } from '../store/db.ts'
import { type KeyUse, touchKeys } from '../store/keys.ts'

const MINUTE_MS = 60_000
/** How long uses are gathered before they are written together. */
const GATHER_MS = 1_000

export interface KeyUseRecorder {
  note(teamId: string, keyId: string, now: Date): void
  /** Writes what is gathered. */
  stop(): Promise<void>
}

/**
 * Keeps `last_used_at` to the minute: the first use of a key in a minute is written a moment later, together with
 * those of all other keys; further uses in that minute cost a look into a map.
 */
export function createKeyUse(db: Db, clock: Clock, log: Log): KeyUseRecorder {
  const notedAtMs = new Map<string, number>()
  let gathered: KeyUse[] = []
  let timer: NodeJS.Timeout | null = null

  async function flush(): Promise<void> {
    timer = null
    const uses = gathered
    gathered = []
    forgetOld()
    if (uses.length === 0) return
    try {
      await touchKeys(db, uses)
    } catch (error) {
      // The next use in another minute writes it again; no request must fail for this.
      log.warn({ err: error, count: uses.length }, 'could not note the last use of keys')
    }
  }

  function forgetOld(): void {
    const nowMs = clock.now().getTime()
    for (const [keyId, atMs] of notedAtMs) if (nowMs - atMs >= MINUTE_MS) notedAtMs.delete(keyId)
  }

  return {
    note(teamId, keyId, now) {
      const notedMs = notedAtMs.get(keyId)
      if (notedMs !== undefined && now.getTime() - notedMs < MINUTE_MS) return
      notedAtMs.set(keyId, now.getTime())
      gathered.push({ teamId, keyId, at: now })
      timer ??= setTimeout(() => void flush(), GATHER_MS).unref()
    },
    async stop() {
      if (timer !== null) clearTimeout(timer)
      await flush()
    },
  }
}
