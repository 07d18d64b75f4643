import Type from 'typebox'
import { IntegerOrNull, Text } from '../http/route/schemas.ts'

export const PlanRecord = Type.Object(
  {
    object: Type.Literal('plan'),
    id: Text('The `plan` of teams.'),
    name: Text('Name of the plan.'),
    month_recipients: IntegerOrNull('Recipients per calendar month (UTC). Null: no limit.'),
    day_recipients: IntegerOrNull('Recipients per calendar day (UTC). Null: no limit.'),
    send_requests_per_minute: Type.Integer({
      description: 'Requests per minute to `POST /emails` and its variants.',
    }),
    requests_per_minute: Type.Integer({ description: 'Other requests per minute with API keys.' }),
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
