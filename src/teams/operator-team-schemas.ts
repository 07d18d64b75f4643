import Type from 'typebox'
import { PLANS, type PlanName, parsePlan } from '../access/plans.ts'
import { IntegerOrNull, Text, TextOrNull, Timestamp, TimestampOrNull, Uuid } from '../http/route/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'
import type { TeamOverview } from './operator-teams-queries.ts'

export const Plan = Type.Enum(Object.keys(PLANS) as PlanName[], {
  title: 'PlanName',
  description: 'A plan in `GET /operator/plans`.',
})
export const Name = Type.String({ minLength: 1, maxLength: 255, description: 'Name of the team.' })

const Period = (description: string) =>
  Type.Object(
    {
      used: Type.Integer({ description: 'Recipients in to, cc, and bcc.' }),
      limit: IntegerOrNull('Limit of the plan. Null: no limit.'),
    },
    { description },
  )

const EXAMPLE = {
  object: 'operator_team',
  id: '0198c0de-0000-7000-8000-0000000000a1',
  name: 'Acme',
  plan: '50k',
  members: 3,
  month: { used: 12_400, limit: 50_000 },
  day: { used: 310, limit: null },
  emails_this_month: 11_900,
  sending_paused_at: null,
  sending_paused_by: null,
  sending_paused_reason: null,
  guard_until: null,
  created_at: '2026-01-15 09:30:00',
}

export const OperatorTeamRecord = Type.Object(
  {
    object: Type.Literal('operator_team'),
    id: Uuid,
    name: Text('Name of the team.'),
    plan: Plan,
    members: Type.Integer({ description: 'Number of members, counted up to 1,000.' }),
    month: Period('The current calendar month (UTC).'),
    day: Period('The current calendar day (UTC).'),
    emails_this_month: Type.Integer({
      description: 'Accepted emails, regardless of their number of recipients.',
    }),
    sending_paused_at: Type.Union([TimestampOrNull], { description: 'Null: sending is not paused.' }),
    sending_paused_by: Type.Union([Type.Enum(['operator', 'reputation']), Type.Null()], {
      description: '`operator`, or `reputation` (automatic).',
    }),
    sending_paused_reason: TextOrNull('Why sending is paused, for people.'),
    guard_until: Type.Union([TimestampOrNull], {
      description:
        'Until then Sendwright does not pause the team automatically, because an operator resumed it.',
    }),
    created_at: Timestamp,
  },
  { title: 'OperatorTeam', examples: [EXAMPLE] },
)

export function teamToJson(team: TeamOverview) {
  const { monthRecipientsMax, dayRecipientsMax } = PLANS[parsePlan(team.plan) ?? 'free']
  return {
    object: 'operator_team',
    id: team.id,
    name: team.name,
    plan: team.plan,
    members: team.members,
    month: { used: team.monthRecipients, limit: monthRecipientsMax },
    day: { used: team.dayRecipients, limit: dayRecipientsMax },
    emails_this_month: team.emails,
    sending_paused_at: formatTime(team.sendingPausedAt),
    sending_paused_by: team.sendingPausedBy,
    sending_paused_reason: team.sendingPausedReason,
    guard_until: formatTime(team.guardUntil),
    created_at: formatTime(team.createdAt),
  }
}

export const Changes = Type.Object(
  { name: Type.Optional(Name), plan: Type.Optional(Plan) },
  { title: 'UpdateOperatorTeamRequest', examples: [{ plan: '100k' }] },
)
