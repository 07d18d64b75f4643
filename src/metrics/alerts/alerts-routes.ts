import { wholeListOf } from '../../http/route/page.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { AlertsAnswer, alertToJson } from './alert-schemas.ts'
import { listShownAlerts } from './list-shown-alerts.ts'

type Deps = Pick<ResourceDeps, 'config' | 'lists' | 'clock'>

const { route } = routesOf<Deps>()

const getAttention = route('GET', '/attention', {
  area: 'overview',
  permission: 'full',
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
