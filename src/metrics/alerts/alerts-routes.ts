import type { Caller } from '../../access/authenticate.ts'
import { leastRole } from '../../access/permissions.ts'
import { isAtLeast } from '../../access/roles.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import { wholeListOf } from '../../http/page.ts'
import { type Route, routesOf } from '../../http/route.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { guardLimitsOf } from '../guard.ts'
import type { Alert } from './alert.ts'
import { AlertsAnswer, alertToJson } from './alert-schemas.ts'
import { findAlerts } from './find-alerts.ts'

interface Deps {
  config: Config
  lists: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

/** Returns whether the caller may see alerts about API keys. */
function maySeeKeys({ user }: Caller): boolean {
  return user === null || isAtLeast(user.role, leastRole({ method: 'GET', tag: 'API keys' }))
}

/** Returns the alerts that the caller may see. */
export async function listShownAlerts(db: Db, caller: Caller, config: Config, now: Date): Promise<Alert[]> {
  const items = await findAlerts(db, caller, guardLimitsOf(config), now)
  return items.filter(({ kind }) => kind !== 'api_key_expiring' || maySeeKeys(caller))
}

const getAttention = route('GET', '/attention', {
  tag: 'Overview',
  permission: 'full',
  limit: 'general',
  operationId: 'listAlerts',
  summary: 'List alerts',
  description:
    'Problems with domains, delivery, webhooks, quotas, reputation, and API keys. Most severe first, at most 20 of each kind.',
  responses: {
    200: {
      description: 'The alerts; empty when there are none.',
      schema: wholeListOf(AlertsAnswer),
    },
  },
  async handle({ caller, deps: { lists, config, clock } }) {
    const shown = await listShownAlerts(lists, caller, config, clock.now())
    return { status: 200, json: { object: 'list', data: shown.map(alertToJson) } }
  },
})

export const alertsRoutes: readonly Route<Deps>[] = [getAttention]
