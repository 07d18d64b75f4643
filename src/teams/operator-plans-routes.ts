import Type from 'typebox'
import { PLANS } from '../access/plans.ts'
import { wholeListOf } from '../http/page.ts'
import { type Route, route } from '../http/route.ts'
import { IntegerOrNull, Text } from '../http/schemas.ts'

export const PlanRecord = Type.Object(
  {
    object: Type.Literal('plan'),
    id: Text('What a team’s `plan` says.'),
    name: Text('What people call it.'),
    month_recipients: IntegerOrNull('Recipients of a calendar month, UTC; null: no limit.'),
    day_recipients: IntegerOrNull('Recipients of a calendar day, UTC; null: no limit.'),
    send_requests_per_minute: Type.Integer({ description: 'To POST /emails and its kin.' }),
    requests_per_minute: Type.Integer({ description: 'To everything else, by keys.' }),
  },
  {
    title: 'Plan',
    examples: [
      {
        object: 'plan',
        id: 'free',
        name: 'Free',
        month_recipients: 3_000,
        day_recipients: 100,
        send_requests_per_minute: 60,
        requests_per_minute: 600,
      },
    ],
  },
)

const getPlans = route('GET', '/operator/plans', {
  tag: 'Operator',
  permission: 'operator',
  limit: 'general',
  operationId: 'listPlans',
  summary: 'List plans',
  description: 'For operators. Smallest first.',
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
