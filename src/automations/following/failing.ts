import { DatabaseUnavailable } from '../../db/db-types.ts'
import type { Clock } from '../../lib/time/clock.ts'

const AGAIN_MS = 60_000

/** Ids of items that failed in this process within the last minute. They are left out, so that the others come first. */
export class Failing {
  readonly #again = new Map<string, number>()

  add(id: string, now: Date): void {
    this.#again.set(id, now.getTime() + AGAIN_MS)
  }

  /** Returns the ids to leave out now. */
  ids(now: Date): string[] {
    for (const [id, againMs] of this.#again) {
      const leftMs = againMs - now.getTime()
      // More than the interval is left if the clock was set back.
      if (leftMs <= 0 || leftMs > AGAIN_MS) this.#again.delete(id)
    }
    return [...this.#again.keys()]
  }
}

export interface FailingDeps {
  clock: Clock
  failing: Failing
  onError(error: unknown, teamId: string): void
}

/** Processes items one at a time. One that fails is reported and left out for a while. Returns whether any has more to do. */
export async function eachAlone<T extends { teamId: string }>(
  { clock, failing, onError }: FailingDeps,
  items: readonly T[],
  idOf: (item: T) => string,
  work: (item: T) => Promise<boolean>,
): Promise<boolean> {
  let hasMore = false
  for (const item of items) {
    try {
      if (await work(item)) hasMore = true
    } catch (error) {
      failing.add(idOf(item), clock.now())
      // A statement that took too long is reported in the same way as an outage, in which the next item would fail too.
      if (error instanceof DatabaseUnavailable) throw error
      onError(error, item.teamId)
    }
  }
  return hasMore
}
