import Type from 'typebox'
import { PLANS } from '../access/plans.ts'
import { WINDOW_MS } from '../access/rate-windows-queries.ts'
import { EXAMPLES } from '../events/example-values.ts'
import { IntegerOrNull, TextOrNull, Timestamp, TimestampOrNull } from '../http/route/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'
import type { Team } from './teams-queries.ts'

/** Maximum number of months in the history. */
export const MONTHS_MAX = 24

const CountOrNull = IntegerOrNull('Null: no limit.')

export const UsagePeriod = Type.Object(
  {
    used: Type.Integer({ description: 'Recipients in to, cc, and bcc.' }),
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
    sending_paused: Type.Boolean({ description: 'Whether sending is paused. New emails are then rejected.' }),
    sending_paused_at: TimestampOrNull,
    sending_paused_by: Type.Union([Type.Enum(['operator', 'reputation']), Type.Null()], {
      description:
        '`reputation`: Sendwright, because of too many bounces or complaints. Null: sending is not paused.',
    }),
    sending_paused_reason: TextOrNull('Why sending is paused, for people.'),
    requests_per_minute: Type.Integer({ description: 'Limit of `POST /emails` and its variants.' }),
    rate_limit: Type.Object(
      {
        limit: Type.Integer({ description: 'Requests allowed per minute.' }),
        used: Type.Integer({ description: 'Requests in the current minute.' }),
        remaining: Type.Integer({ description: 'Requests left in the current minute.' }),
        resets_at: Type.Union([TimestampOrNull], {
          description: 'When the current minute ends. Null: the next request starts one.',
        }),
      },
      { description: 'Rate limit of `POST /emails` and its variants, across all processes.' },
    ),
    emails_this_month: Type.Integer({
      description: 'Accepted emails, regardless of their number of recipients.',
    }),
    month: UsagePeriod,
    day: UsagePeriod,
    months: Type.Array(
      Type.Object({
        month: Type.String({ description: 'Month in UTC, such as `2026-01`.' }),
        recipients: Type.Integer({ description: 'Recipients that counted against the quota.' }),
        emails: Type.Integer({ description: 'Accepted emails.' }),
      }),
      { description: `Months with accepted emails, newest first; at most ${MONTHS_MAX}.` },
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

/** Returns the usage of the current month and day, in UTC. */
export function usagePeriodsToJson(
  used: { monthRecipients: number; dayRecipients: number },
  limits: { monthRecipientsMax: number | null; dayRecipientsMax: number | null },
  now: Date,
) {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  return {
    month: periodToJson(
      used.monthRecipients,
      limits.monthRecipientsMax,
      new Date(Date.UTC(year, month + 1, 1)),
    ),
    day: periodToJson(used.dayRecipients, limits.dayRecipientsMax, new Date(Date.UTC(year, month, day + 1))),
  }
}

export function pauseToJson(team: Team | null) {
  return {
    sending_paused: team?.sendingPausedAt != null,
    sending_paused_at: formatTime(team?.sendingPausedAt ?? null),
    sending_paused_by: team?.sendingPausedBy ?? null,
    sending_paused_reason: team?.sendingPausedReason ?? null,
  }
}

export function rateLimitToJson(limit: number, open: { openedAt: Date; requests: number } | null) {
  return {
    limit,
    used: Math.min(open?.requests ?? 0, limit),
    remaining: Math.max(0, limit - (open?.requests ?? 0)),
    resets_at: formatTime(open === null ? null : new Date(open.openedAt.getTime() + WINDOW_MS)),
  }
}
