import type { Queryable } from '../../db/db-types.ts'
import { DAY_MS, startOfHour } from '../counting/calendar.ts'
import { addDelays } from '../counting/delays.ts'
import { dimensionsOf } from '../counting/metric-counts-queries.ts'
import { addOutcomeCounts } from '../outcomes/count-outcomes.ts'
import { noOutcomes, type OutcomeCounts } from '../outcomes/outcome-counts-queries.ts'
import { dayAt, laterDay, startOfLocalDay } from '../reading/local-days.ts'
import type { Period } from '../reading/period.ts'
import { findUncountedSince, readKeyDelays } from '../reading/read-metrics-queries.ts'
import { coverTimes } from '../reading/spans.ts'
import { readOutcomeSteps, sumOutcomes } from './summary-queries.ts'

export interface SummaryFigures {
  asOf: Date | null
  total: OutcomeCounts
  series: { at: Date; outcomes: OutcomeCounts }[]
  /** The previous period and this one, both cut off at the same number of whole hours. */
  before: { from: Date; before: Date; outcomes: OutcomeCounts; compared: OutcomeCounts }
  /** The number of deliveries in each delay bucket. */
  delays: readonly number[]
}

/** Returns the outcomes of the emails accepted in a period, next to the period before. */
export async function readSummary(
  db: Queryable,
  teamId: string,
  period: Period,
  hasSimulated: boolean,
  now: Date,
): Promise<SummaryFigures> {
  const { from, before, starts } = period
  // Read first, so that the result includes at least what `asOf` promises.
  const { isWhole, countedAt } = await findUncountedSince(db, teamId)
  const passedTo = new Date(Math.min(before.getTime(), Math.max(from.getTime(), startOfHour(now.getTime()))))
  const earlier = findEarlier(period, passedTo)
  const [steps, compared, outcomes, delayRows] = await Promise.all([
    readOutcomeSteps(db, teamId, period, hasSimulated),
    sumOutcomes(db, teamId, coverTimes(from, passedTo), hasSimulated),
    sumOutcomes(db, teamId, coverTimes(earlier.from, earlier.before), hasSimulated),
    readKeyDelays(db, teamId, dimensionsOf('all', hasSimulated), coverTimes(from, before), ['']),
  ])
  const series = starts.map((at, step) => ({ at, outcomes: steps.get(step) ?? noOutcomes() }))
  const total = noOutcomes()
  for (const step of series) addOutcomeCounts(total, step.outcomes)
  const delays: number[] = []
  for (const row of delayRows) addDelays(delays, row.delays)
  return {
    asOf: isWhole ? now : countedAt,
    total,
    series,
    before: { ...earlier, outcomes, compared },
    delays,
  }
}

/** Returns the period before as far as `passedTo`: as many days of the zone earlier, or as many hours. */
function findEarlier(
  { interval, timeZone, from, starts }: Period,
  passedTo: Date,
): { from: Date; before: Date } {
  const steps = starts.length
  const shift = (at: Date) => {
    if (interval === 'hour') return new Date(at.getTime() - steps * (DAY_MS / 24))
    const day = dayAt(timeZone, at)
    const sinceStart = at.getTime() - startOfLocalDay(timeZone, day).getTime()
    return new Date(startOfLocalDay(timeZone, laterDay(day, -steps)).getTime() + sinceStart)
  }
  return { from: shift(from), before: shift(passedTo) }
}
