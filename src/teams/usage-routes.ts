import Type from 'typebox'
import { PLANS } from '../access/plans.ts'
import { findRateWindow, WINDOW_MS } from '../access/rate-windows-queries.ts'
import type { Db } from '../db/db-types.ts'
import { EXAMPLES } from '../events/example-values.ts'
import { type Route, routesOf } from '../http/route.ts'
import { Timestamp, TimestampOrNull } from '../http/schemas.ts'
import type { Clock } from '../lib/time/clock.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { findTeam, type Team } from './teams-queries.ts'
import { listUsage, readUsage } from './usage-queries.ts'

interface Deps {
  db: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

/** Of the history. */
const MONTHS_MAX = 24

const CountOrNull = Type.Union([Type.Integer(), Type.Null()], { description: 'Null: no limit.' })

const Period = Type.Object(
  {
    used: Type.Integer({ description: 'Recipients, all of to, cc and bcc.' }),
    limit: CountOrNull,
    remaining: CountOrNull,
    resets_at: Timestamp,
  },
  { title: 'UsagePeriod' },
)

export const Usage = Type.Object(
  {
    object: Type.Literal('usage'),
    plan: Type.Enum(Object.keys(PLANS)),
    sending_paused: Type.Boolean({ description: 'While it is, emails are refused.' }),
    sending_paused_at: TimestampOrNull,
    sending_paused_by: Type.Union([Type.Enum(['operator', 'reputation']), Type.Null()], {
      description:
        '`reputation`: the service itself, because too much bounced or was complained about. Null: it is not paused.',
    }),
    sending_paused_reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why it is paused, in words for people.',
    }),
    requests_per_minute: Type.Integer({ description: 'Of POST /emails and its kin.' }),
    rate_limit: Type.Object(
      {
        limit: Type.Integer({ description: 'The same.' }),
        used: Type.Integer({ description: 'Requests of the minute that is under way.' }),
        remaining: Type.Integer({ description: 'How many more it takes.' }),
        resets_at: Type.Union([TimestampOrNull], {
          description: 'When it ends. Null: none is under way; the next request begins one.',
        }),
      },
      { description: 'Of POST /emails and its kin, all processes together.' },
    ),
    emails_this_month: Type.Integer({ description: 'Accepted emails, however many recipients each has.' }),
    month: Period,
    day: Period,
    months: Type.Array(
      Type.Object({
        month: Type.String({ description: 'In UTC, as `2026-01`.' }),
        recipients: Type.Integer({ description: 'What counted against the quota.' }),
        emails: Type.Integer({ description: 'Accepted emails.' }),
      }),
      { description: `Those in which something was sent, the newest first, ${MONTHS_MAX} at most.` },
    ),
  },
  { title: 'Usage', examples: [EXAMPLES.usage] },
)

function periodToJson(used: number, limit: number | null, resetsAt: Date) {
  return {
    used,
    limit,
    remaining: limit === null ? null : Math.max(0, limit - used),
    resets_at: formatTime(resetsAt),
  }
}

const getUsage = route('GET', '/usage', {
  tag: 'Usage',
  permission: 'full',
  limit: 'general',
  operationId: 'getUsage',
  summary: 'Get usage and quotas',
  description: 'Quotas count recipients by calendar month and day in UTC.',
  responses: { 200: { description: 'Current usage and limits.', schema: Usage } },
  async handle({ caller: { teamId, plan }, deps: { db, clock } }) {
    const now = clock.now()
    const { monthRecipientsMax, dayRecipientsMax, sendRequestsMax } = PLANS[plan]
    const { monthRecipients, dayRecipients, emails } = await readUsage(db, teamId, now)
    const months = await listUsage(db, teamId, MONTHS_MAX)
    const rateWindow = await findRateWindow(db, teamId, 'send', now)
    const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
    const json = {
      object: 'usage',
      plan,
      ...pauseToJson(await findTeam(db, teamId)),
      requests_per_minute: sendRequestsMax,
      rate_limit: rateLimitToJson(sendRequestsMax, rateWindow),
      emails_this_month: emails,
      month: periodToJson(monthRecipients, monthRecipientsMax, new Date(Date.UTC(year, month + 1, 1))),
      day: periodToJson(dayRecipients, dayRecipientsMax, new Date(Date.UTC(year, month, day + 1))),
      months: months.map((each) => ({ ...each, month: each.month.slice(0, 7) })),
    }
    return { status: 200, json }
  },
})

function pauseToJson(team: Team | null) {
  return {
    sending_paused: team?.sendingPausedAt != null,
    sending_paused_at: formatTime(team?.sendingPausedAt ?? null),
    sending_paused_by: team?.sendingPausedBy ?? null,
    sending_paused_reason: team?.sendingPausedReason ?? null,
  }
}

function rateLimitToJson(limit: number, open: { openedAt: Date; requests: number } | null) {
  return {
    limit,
    used: Math.min(open?.requests ?? 0, limit),
    remaining: Math.max(0, limit - (open?.requests ?? 0)),
    resets_at: formatTime(open === null ? null : new Date(open.openedAt.getTime() + WINDOW_MS)),
  }
}

export const usageRoutes: readonly Route<Deps>[] = [getUsage]
