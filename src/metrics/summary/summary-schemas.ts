import Type from 'typebox'
import { Text, Timestamp, TimestampOrNull, Uuid } from '../../http/route/schemas.ts'
import { UsagePeriod } from '../../teams/usage-schemas.ts'
import { AlertsAnswer } from '../alerts/alert-schemas.ts'
import { OUTCOMES, type Outcome, type OutcomeCounts } from '../outcomes/outcome-counts-queries.ts'
import { DeliveryTimes, PERIOD_PARAMETERS } from '../reading/metrics-schemas.ts'
import { WAITING } from './summary-queries.ts'

const MEANINGS: Readonly<Record<Outcome | 'in_progress', string>> = {
  emails: 'Accepted emails.',
  delivered: 'Delivered.',
  sent: 'Accepted by a relay.',
  partially_delivered: 'With different results.',
  bounced: 'Bounced.',
  failed: 'Failed.',
  rejected: 'Rejected.',
  suppressed: 'Suppressed.',
  canceled: 'Canceled.',
  in_progress: 'Without a result.',
  opened: 'Opened by people.',
  clicked: 'Clicked by people.',
  complained: 'Reported as spam.',
}

const Outcomes = Type.Object(
  Object.fromEntries(
    Object.entries(MEANINGS).map(([name, description]) => [name, Type.Integer({ description })]),
  ),
  {
    title: 'EmailOutcomes',
    description:
      'Accepted `emails` by status; the statuses add up. `in_progress`: `queued`, `delivery_delayed`, or `scheduled`. `opened`, `clicked`, and `complained` count emails with at least one.',
  },
)

/** The outcomes that end an email. */
const ENDS = OUTCOMES.filter((outcome) => !['emails', 'opened', 'clicked', 'complained'].includes(outcome))

const OUTCOMES_EXAMPLE = {
  ...outcomesToJson(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as OutcomeCounts),
  emails: 960,
  delivered: 940,
  bounced: 14,
  in_progress: 6,
  opened: 410,
  clicked: 120,
  complained: 1,
}
const PERIOD_EXAMPLE = { used: 1000, limit: null, remaining: null, resets_at: '2026-02-01 00:00:00' }

export const Summary = Type.Object(
  {
    object: Type.Literal('summary'),
    interval: Type.Enum(['hour', 'day']),
    time_zone: Text('Time zone of the days.'),
    start_date: Timestamp,
    end_date: Timestamp,
    as_of: TimestampOrNull,
    outcomes: Outcomes,
    series: Type.Array(Type.Object({ at: Timestamp, outcomes: Outcomes })),
    before: Type.Object(
      { start_date: Timestamp, end_date: Timestamp, outcomes: Outcomes, compared: Outcomes },
      {
        description:
          'The previous period, cut off at the same number of whole hours. `compared`: this one, likewise.',
      },
    ),
    time_to_deliver_ms: DeliveryTimes,
    waiting: Type.Object(
      {
        ...Object.fromEntries(
          WAITING.map((status) => [status, Type.Integer({ description: 'Emails with this status.' })]),
        ),
        longest_deferred: Type.Union([Type.Object({ id: Uuid, created_at: Timestamp }), Type.Null()]),
      },
      { description: 'Emails of all times that wait, up to 10,000 of each status.' },
    ),
    usage: Type.Object({ month: UsagePeriod, day: UsagePeriod }),
    alerts: Type.Array(AlertsAnswer),
  },
  {
    title: 'Summary',
    examples: [
      {
        object: 'summary',
        interval: 'day',
        time_zone: 'UTC',
        as_of: '2026-01-15 17:20:31',
        start_date: '2026-01-15 00:00:00',
        end_date: '2026-01-16 00:00:00',
        outcomes: OUTCOMES_EXAMPLE,
        series: [{ at: '2026-01-15 00:00:00', outcomes: OUTCOMES_EXAMPLE }],
        before: {
          start_date: '2026-01-14 00:00:00',
          end_date: '2026-01-14 17:00:00',
          outcomes: OUTCOMES_EXAMPLE,
          compared: OUTCOMES_EXAMPLE,
        },
        time_to_deliver_ms: { p50: 812, p90: 2_450, p95: 3_655, p99: 9_920 },
        waiting: { queued: 2, delivery_delayed: 4, scheduled: 0, longest_deferred: null },
        usage: { month: PERIOD_EXAMPLE, day: PERIOD_EXAMPLE },
        alerts: [],
      },
    ],
  },
)

export const SummaryQuery = Type.Object(PERIOD_PARAMETERS)

export function outcomesToJson(counts: OutcomeCounts) {
  const ended = ENDS.reduce((sum, outcome) => sum + counts[outcome], 0)
  return { ...counts, in_progress: counts.emails - ended }
}
