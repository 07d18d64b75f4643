import type { Db } from '../../db/db-types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import {
  clearParked,
  findResuming,
  lockResuming,
  type Resuming,
  saveUnparkedUntil,
  unparkRuns,
} from '../rows/parked-runs-queries.ts'

const AUTOMATIONS_MAX = 100
const RUNS_MAX = 500
/** An unused rate is not saved up for longer. */
const UNUSED_MS_MAX = 5_000

/** Lets runs that came due during a pause go on, as many as the rates of their automations allow. */
export async function resumeParked({ db, clock }: { db: Db; clock: Clock }): Promise<boolean> {
  for (const { teamId, id } of await findResuming(db, clock.now(), AUTOMATIONS_MAX)) {
    await db.transaction(async (tx) => {
      const resuming = await lockResuming(tx, teamId, id)
      if (resuming === null) return
      const { count, until } = allowanceAt(resuming, clock.now())
      const isSetBack = resuming.unparkedUntil !== null && until < resuming.unparkedUntil
      if (count === 0 && isSetBack) await saveUnparkedUntil(tx, resuming, until)
      if (count === 0) return
      const unparkedCount = await unparkRuns(tx, resuming, count)
      if (unparkedCount < count) await clearParked(tx, teamId, id)
      else await saveUnparkedUntil(tx, resuming, until)
    })
  }
  return false
}

/** Returns how many runs may go on now, and up to when that uses the rate. */
export function allowanceAt({ rate, unparkedUntil }: Resuming, now: Date): { count: number; until: Date } {
  const intervalMs = 60_000 / rate
  const earliestMs = now.getTime() - Math.max(UNUSED_MS_MAX, intervalMs)
  // A time ahead of now is from before the clock was set back.
  const usedMs = Math.min(unparkedUntil?.getTime() ?? now.getTime() - intervalMs, now.getTime())
  const sinceMs = Math.max(usedMs, earliestMs)
  const count = Math.max(0, Math.min(RUNS_MAX, Math.floor((now.getTime() - sinceMs) / intervalMs)))
  return { count, until: new Date(sinceMs + count * intervalMs) }
}
