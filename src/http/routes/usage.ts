import Type from 'typebox'
import { presentTime } from '../../base/present-time.ts'
import { PLANS } from '../../operations/plans.ts'
import { readUsage } from '../../store/usage.ts'
import { EXAMPLES } from '../examples.ts'
import { type Route, route } from '../route.ts'
import { Timestamp } from '../schemas.ts'

const CountOrNull = Type.Union([Type.Integer(), Type.Null()], { description: 'Null: no limit.' })

const Period = Type.Object({
  used: Type.Integer({ description: 'Recipients, all of to, cc and bcc.' }),
  limit: CountOrNull,
  remaining: CountOrNull,
  resets_at: Timestamp,
})

const Usage = Type.Object(
  {
    object: Type.Literal('usage'),
    plan: Type.Enum(Object.keys(PLANS)),
    sending_paused: Type.Boolean({ description: 'While the operator has paused it, emails are refused.' }),
    requests_per_minute: Type.Integer({ description: 'Of POST /emails and its kin.' }),
    emails_this_month: Type.Integer({ description: 'Accepted emails, however many recipients each has.' }),
    month: Period,
    day: Period,
  },
  { examples: [EXAMPLES.usage] },
)

function presentPeriod(used: number, limit: number | null, resetsAt: Date) {
  return {
    used,
    limit,
    remaining: limit === null ? null : Math.max(0, limit - used),
    resets_at: presentTime(resetsAt),
  }
}

const getUsage = route('GET', '/usage', {
  tag: 'Usage',
  permission: 'full',
  limit: 'general',
  summary: 'Read what the account has sent and may send',
  description: 'Quotas count recipients by calendar month and day in UTC.',
  responses: { 200: { description: 'Counts and limits of now.', schema: Usage } },
  async handle({ caller, services: { db, clock } }) {
    const now = clock.now()
    const plan = PLANS[caller.plan]
    const { monthRecipients, dayRecipients, emails } = await readUsage(db, caller.teamId, now)
    const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
    const json = {
      object: 'usage',
      plan: caller.plan,
      sending_paused: caller.isSendingPaused,
      requests_per_minute: plan.sendRequestsMax,
      emails_this_month: emails,
      month: presentPeriod(monthRecipients, plan.monthRecipientsMax, new Date(Date.UTC(year, month + 1, 1))),
      day: presentPeriod(dayRecipients, plan.dayRecipientsMax, new Date(Date.UTC(year, month, day + 1))),
    }
    return { status: 200, json }
  },
})

export const usageRoutes: readonly Route[] = [getUsage]
