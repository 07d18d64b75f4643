import type { Queryable } from '../../db/db-types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { findPacedUntil } from '../rows/progress-queries.ts'
import { countQueued } from '../rows/recipients-queries.ts'
import type { Run } from '../rows/runs-queries.ts'
import { waitsUntil } from '../rows/send-window.ts'
import { allowanceOf, stepOf, waitMsFor, windowOf } from './pace.ts'

/** The most emails of a campaign that wait in the queue, so that a pause and a cancelation have little to hold. */
const WINDOW_COUNT = 5000
/** The wait while the queue is full. */
const FULL_MS = 200
/** The longest wait, after which the rest is computed again: clocks may be set. */
const WAIT_MAX_MS = 1000

/** How many emails may be accepted now; if none, how long to wait before the next look. */
interface Turn {
  count: number
  waitMs: number
}

/** Says how many emails of a campaign may be accepted: by its hours, by the room in the queue, and by its rate. */
export class Pacer {
  readonly #db: Queryable
  readonly #clock: Clock
  readonly #run: Run
  /** The room that is left of the last count. What leaves the queue meanwhile is found by the next. */
  #room = 0

  constructor({ db, clock }: { db: Queryable; clock: Clock }, run: Run) {
    this.#db = db
    this.#clock = clock
    this.#run = run
  }

  /** @param underWayCount emails that requests under way may have accepted since the last count */
  async next(countMax: number, underWayCount: number): Promise<Turn> {
    const { ratePerHour, sendWindow } = this.#run
    const now = this.#clock.now()
    const opensAt = waitsUntil(sendWindow, now)
    if (opensAt !== null) return wait(opensAt.getTime() - now.getTime())
    const step = stepOf(ratePerHour, countMax)
    if (this.#room < step) {
      const queuedCount = await countQueued(this.#db, this.#run, WINDOW_COUNT)
      this.#room = windowOf(ratePerHour, WINDOW_COUNT) - queuedCount - underWayCount
    }
    if (this.#room < step) return wait(FULL_MS)
    const room = Math.min(this.#room, countMax)
    return ratePerHour === null ? { count: room, waitMs: 0 } : this.#limit(ratePerHour, step, room)
  }

  async #limit(ratePerHour: number, step: number, room: number): Promise<Turn> {
    const pace = { pacedUntil: await findPacedUntil(this.#db, this.#run), ratePerHour }
    const now = this.#clock.now()
    const allowance = allowanceOf(pace, now)
    if (allowance < step) return wait(waitMsFor(pace, now, step))
    return { count: Math.min(allowance, room), waitMs: 0 }
  }

  /** Takes the room of emails that are about to be accepted. */
  take(count: number): void {
    this.#room -= count
  }
}

function wait(ms: number): Turn {
  return { count: 0, waitMs: Math.min(Math.max(1, ms), WAIT_MAX_MS) }
}

/** Returns whether no email of a campaign waits for its first attempt. */
export async function isQueueEmpty(db: Queryable, run: Run): Promise<boolean> {
  return (await countQueued(db, run, WINDOW_COUNT)) === 0
}
