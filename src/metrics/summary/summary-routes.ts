import { PLANS } from '../../access/plans.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { readUsage } from '../../teams/usage-queries.ts'
import { usagePeriodsToJson } from '../../teams/usage-schemas.ts'
import { alertToJson } from '../alerts/alert-schemas.ts'
import { listShownAlerts } from '../alerts/list-shown-alerts.ts'
import { deliveryTimesToJson } from '../reading/metrics-schemas.ts'
import { readPeriod } from '../reading/period.ts'
import { type SummaryFigures as Read, readSummary } from './read-summary.ts'
import { countWaiting, findLongestDeferred } from './summary-queries.ts'
import { outcomesToJson, Summary, SummaryQuery } from './summary-schemas.ts'

interface Deps {
  config: Config
  lists: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

const getSummary = route('GET', '/summary', {
  area: 'overview',
  permission: 'full',
  limit: 'general',
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
    const [read, waiting, longest, usage, alerts] = await Promise.all([
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
      ...figuresToJson(read),
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

function figuresToJson({ asOf, total, series, before, delays }: Read) {
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

export const summaryRoutes: readonly Route<Deps>[] = [getSummary]
