import { PLANS } from '../../access/plans.ts'
import type { Queryable } from '../../db/db-types.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { readUsage } from '../../teams/usage-queries.ts'
import { usagePeriodsToJson } from '../../teams/usage-schemas.ts'
import { alertToJson } from '../alerts/alert-schemas.ts'
import { listShownAlerts } from '../alerts/list-shown-alerts.ts'
import { DAY_MS, startOfHour } from '../counting/calendar.ts'
import { addDelays } from '../counting/delays.ts'
import { dimensionsOf } from '../counting/metric-counts-queries.ts'
import { addOutcomeCounts } from '../outcomes/count-outcomes.ts'
import { noOutcomes, type OutcomeCounts } from '../outcomes/outcome-counts-queries.ts'
import { dayAt, laterDay, startOfLocalDay } from '../reading/local-days.ts'
import { deliveryTimesToJson } from '../reading/metrics-schemas.ts'
import { type Period, readPeriod } from '../reading/period.ts'
import { findUncountedSince, readKeyDelays } from '../reading/read-metrics-queries.ts'
import { coverTimes } from '../reading/spans.ts'
import { countWaiting, findLongestDeferred, readOutcomeSteps, sumOutcomes } from './summary-queries.ts'
import { outcomesToJson, Summary, SummaryQuery } from './summary-schemas.ts'

interface SummaryFigures {
  asOf: Date | null
  total: OutcomeCounts
  series: { at: Date; outcomes: OutcomeCounts }[]
  /** The previous period and this one, both cut off at the same number of whole hours. */
  before: { from: Date; before: Date; outcomes: OutcomeCounts; compared: OutcomeCounts }
  /** The number of deliveries in each delay bucket. */
  delays: readonly number[]
}

type Deps = Pick<ResourceDeps, 'config' | 'lists' | 'clock'>

const { route } = routesOf<Deps>()

const getSummary = route('GET', '/summary', {
  area: 'overview',
  permission: 'full',
  operationId: 'getSummary',
  summary: 'Get a summary',
  description:
    'Emails accepted in a period by their status now, next to the period before, with quotas and alerts. Each count is that of `GET /emails` with the same dates, `status` or `event`, and `simulated=false`.',
  query: SummaryQuery,
  responses: { 200: { description: 'The summary.', schema: Summary } },
  async handle({ caller, query, deps: { lists, clock, config } }) {
    const { teamId, plan } = caller
    const now = clock.now()
    const period = readPeriod(query, now)
    const [summary, waiting, longest, usage, alerts] = await Promise.all([
      readSummary(lists, teamId, period, query.include_simulated === 'true', now),
      countWaiting(lists, teamId),
      findLongestDeferred(lists, caller),
      readUsage(lists, teamId, now),
      listShownAlerts(lists, caller, config, now),
    ])
    const json = {
      object: 'summary',
      interval: period.interval,
      time_zone: period.timeZone,
      start_date: formatTime(period.from),
      end_date: formatTime(period.before),
      ...figuresToJson(summary),
      waiting: {
        ...waiting,
        longest_deferred:
          longest === null ? null : { id: longest.id, created_at: formatTime(longest.createdAt) },
      },
      usage: usagePeriodsToJson(usage, PLANS[plan], now),
      alerts: alerts.map(alertToJson),
    }
    return { status: 200, json }
  },
})

function figuresToJson({ asOf, total, series, before, delays }: SummaryFigures) {
  return {
    as_of: formatTime(asOf),
    outcomes: outcomesToJson(total),
    series: series.map(({ at, outcomes }) => ({ at: formatTime(at), outcomes: outcomesToJson(outcomes) })),
    before: {
      start_date: formatTime(before.from),
      end_date: formatTime(before.before),
      outcomes: outcomesToJson(before.outcomes),
      compared: outcomesToJson(before.compared),
    },
    time_to_deliver_ms: deliveryTimesToJson(delays),
  }
}

/** Returns the outcomes of the emails accepted in a period, next to the period before. */
async function readSummary(
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

export const summaryRoutes: readonly Route<Deps>[] = [getSummary]
