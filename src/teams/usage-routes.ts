import { PLANS } from '../access/plans.ts'
import { findRateWindow } from '../access/rate-windows-queries.ts'
import type { ResourceDeps } from '../http/route/resource.ts'
import { type Route, routesOf } from '../http/route/route.ts'
import { findTeam } from './teams-queries.ts'
import { listUsage, readUsage } from './usage-queries.ts'
import { MONTHS_MAX, pauseToJson, rateLimitToJson, Usage, usagePeriodsToJson } from './usage-schemas.ts'

type Deps = Pick<ResourceDeps, 'db' | 'clock'>

const { route } = routesOf<Deps>()

const getUsage = route('GET', '/usage', {
  area: 'usage',
  permission: 'full',
  operationId: 'getUsage',
  summary: 'Get usage and quotas',
  description: 'Quotas count recipients by calendar month and day in UTC.',
  responses: { 200: { description: 'Current usage and limits.', schema: Usage } },
  async handle({ caller: { teamId, plan }, deps: { db, clock } }) {
    const now = clock.now()
    const { sendRequestsMax } = PLANS[plan]
    const usage = await readUsage(db, teamId, now)
    const months = await listUsage(db, teamId, MONTHS_MAX)
    const rateWindow = await findRateWindow(db, teamId, 'send', now)
    const json = {
      object: 'usage',
      plan,
      ...pauseToJson(await findTeam(db, teamId)),
      requests_per_minute: sendRequestsMax,
      rate_limit: rateLimitToJson(sendRequestsMax, rateWindow),
      emails_this_month: usage.emails,
      ...usagePeriodsToJson(usage, PLANS[plan], now),
      months: months.map((each) => ({ ...each, month: each.month.slice(0, 7) })),
    }
    return { status: 200, json }
  },
})

export const usageRoutes: readonly Route<Deps>[] = [getUsage]
