import { PLANS } from '../access/plans.ts'
import { wholeListOf } from '../http/route/page.ts'
import { type Route, route } from '../http/route/route.ts'
import { PlanRecord } from './operator-plan-schemas.ts'

const getPlans = route('GET', '/operator/plans', {
  area: 'operator',
  permission: 'operator',
  operationId: 'listPlans',
  summary: 'List plans',
  description: 'Smallest first.',
  responses: {
    200: {
      description: 'Smallest plan first.',
      schema: wholeListOf(PlanRecord),
    },
  },
  async handle() {
    const data = Object.entries(PLANS).map(([id, plan]) => ({
      object: 'plan',
      id,
      name: plan.name,
      month_recipients: plan.monthRecipientsMax,
      day_recipients: plan.dayRecipientsMax,
      send_requests_per_minute: plan.sendRequestsMax,
      requests_per_minute: plan.generalRequestsMax,
    }))
    return { status: 200, json: { object: 'list', data } }
  },
})

export const operatorPlanRoutes: readonly Route<unknown>[] = [getPlans]
