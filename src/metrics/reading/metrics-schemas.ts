import Type from 'typebox'
import { TAG_PARAMETERS } from '../../emails/read/tag-filter.ts'
import { Text, TextOrNull, Timestamp, TimestampOrNull } from '../../http/route/schemas.ts'
import { readQuantiles } from '../counting/delays.ts'
import { COUNTERS, type Counter, type Counts } from '../counting/metric-counts-queries.ts'

export const COUNTER_MEANINGS: Readonly<Record<Counter, string>> = {
  emails: 'Accepted emails with a recipient that was not suppressed on acceptance.',
  accepted: 'Recipients of these emails.',
  queued: 'Emails queued on acceptance or at their scheduled time.',
  scheduled: 'Emails scheduled or rescheduled.',
  canceled: 'Scheduled emails canceled.',
  attempted:
    'Recipients with a result: `sent`, `delivered`, `bounced`, `failed`, or `rejected`, except those of a later DSN.',
  sent: 'Recipients accepted by a relay.',
  delivered: 'Recipients accepted by their server.',
  delivery_delayed: 'Deferred attempts.',
  bounced: 'Recipients permanently rejected.',
  bounced_hard: 'Bounces caused by the address itself.',
  failed: 'Recipients not delivered within the lifetime, or because of a fault of Sendwright.',
  rejected: 'Recipients rejected because of the content.',
  suppressed: 'Recipients skipped as suppressed.',
  complained: 'Recipients who reported spam.',
  opened: 'Opens by people.',
  opened_unique: 'Recipients at their first open.',
  opened_machine: 'Opens by proxies and scanners.',
  clicked: 'Clicks by people.',
  clicked_unique: 'Recipients at their first click.',
  clicked_machine: 'Clicks by scanners.',
}

const Rate = (description: string) =>
  Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
    description: `${description} Null: no recipients.`,
  })
const Milliseconds = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })

const COUNTS = Type.Object(
  Object.fromEntries(
    COUNTERS.map((counter) => [counter, Type.Integer({ description: COUNTER_MEANINGS[counter] })]),
  ),
  { title: 'EmailCounts' },
)

export const DeliveryTimes = Type.Object(
  {
    p50: Milliseconds('Median.'),
    p90: Milliseconds('90th percentile.'),
    p95: Milliseconds('95th percentile.'),
    p99: Milliseconds('99th percentile.'),
  },
  {
    title: 'DeliveryTimes',
    description:
      'Time from acceptance or the scheduled time to delivery. Accurate to 5 %. Null: no deliveries.',
  },
)

const FIGURES = {
  rates: Type.Object(
    {
      delivered: Rate('Delivered and not bounced, per attempted recipient.'),
      bounced: Rate('Bounces per attempted recipient.'),
      complained: Rate('Complaints per delivered recipient.'),
      opened: Rate('Recipients who opened, per delivered recipient.'),
      clicked: Rate('Recipients who clicked, per delivered recipient.'),
    },
    { title: 'EmailRates' },
  ),
  time_to_deliver_ms: DeliveryTimes,
}

const DIMENSIONS = ['domain', 'tag', 'template', 'sender', 'provider', 'reason'] as const
const GroupBy = Type.Enum([...DIMENSIONS])

const ZEROS = Object.fromEntries(COUNTERS.map((counter) => [counter, 0])) as Counts
const COUNTS_EXAMPLE = {
  ...ZEROS,
  emails: 960,
  accepted: 1000,
  queued: 960,
  attempted: 990,
  delivered: 970,
  bounced: 20,
  bounced_hard: 15,
  suppressed: 10,
}
const FIGURES_EXAMPLE = {
  rates: { delivered: 0.979798, bounced: 0.020202, complained: 0, opened: 0, clicked: 0 },
  time_to_deliver_ms: { p50: 812, p90: 2_450, p95: 3_655, p99: 9_920 },
}
const EXAMPLE = {
  object: 'metrics',
  interval: 'day',
  time_zone: 'UTC',
  start_date: '2026-01-15 00:00:00',
  end_date: '2026-01-16 00:00:00',
  as_of: '2026-01-15 17:20:31',
  totals: COUNTS_EXAMPLE,
  ...FIGURES_EXAMPLE,
  series: [{ at: '2026-01-15 00:00:00', counts: COUNTS_EXAMPLE, ...FIGURES_EXAMPLE }],
  group_by: 'provider',
  groups: [{ key: 'google', name: null, counts: COUNTS_EXAMPLE, ...FIGURES_EXAMPLE }],
}

export const EmailMetrics = Type.Object(
  {
    object: Type.Literal('metrics'),
    interval: Type.Enum(['hour', 'day']),
    time_zone: Text('The time zone of the days.'),
    start_date: Type.Union([Timestamp], { description: 'Start of the first hour or day.' }),
    end_date: Type.Union([Timestamp], { description: 'End of the last hour or day.' }),
    as_of: Type.Union([TimestampOrNull], {
      description: 'Everything before this time is counted. Null: nothing counted yet.',
    }),
    totals: COUNTS,
    ...FIGURES,
    series: Type.Array(
      Type.Object({
        at: Type.Union([Timestamp], { description: 'Start of the hour or day.' }),
        counts: COUNTS,
        ...FIGURES,
      }),
    ),
    group_by: Type.Union([GroupBy, Type.Null()]),
    groups: Type.Array(
      Type.Object({
        key: Type.String({
          description:
            'Id of a domain or template, `name:value` of a tag (with %3A for a colon and %25 for a percent sign in the name), address of a sender, a provider, or a category; `*` for all others.',
        }),
        name: TextOrNull('Name of the domain or template. Null if deleted, and for other groups.'),
        counts: COUNTS,
        ...FIGURES,
      }),
      { description: 'Totals of the period by `group_by`, largest first.' },
    ),
  },
  { title: 'EmailMetrics', examples: [EXAMPLE] },
)

const RANGE = 'ISO 8601 date or timestamp. Dates are days of `time_zone`.'

/** The parameters of a time range. */
export const PERIOD_PARAMETERS = {
  start_date: Type.Optional(
    Type.String({
      description: `${RANGE} Default: 30 days before the end. Rounded down to the hour or day.`,
    }),
  ),
  end_date: Type.Optional(
    Type.String({ description: `${RANGE} A date includes the whole day. Default: now. Rounded up.` }),
  ),
  interval: Type.Optional(
    Type.Enum(['hour', 'day'], {
      description: 'Step: up to 31 days by hour, within the last 99, or 366 by day. Default `day`.',
    }),
  ),
  time_zone: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'IANA time zone of the days, such as `Europe/Berlin`. Default `UTC`. A day starts at the full UTC hour at or before midnight.',
    }),
  ),
  include_simulated: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Whether to add mail to the simulator. Default `false`.' }),
  ),
}

export const MetricsQuery = Type.Object({
  ...PERIOD_PARAMETERS,
  group_by: Type.Optional(
    Type.Enum([...DIMENSIONS], {
      description: 'Adds `groups`. Cannot be combined with a filter.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 20, description: 'Maximum number of groups. Default 10.' }),
  ),
  domain_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only emails from this domain.' })),
  ...TAG_PARAMETERS,
  template_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only emails that use this template.' }),
  ),
  from: Type.Optional(
    Type.String({ maxLength: 254, description: 'Only emails from this address, case-insensitive.' }),
  ),
  provider: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Only recipients at this provider. Counts of whole emails are then 0.',
    }),
  ),
  reason: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Only failures of this category. Other counts are then 0.',
    }),
  ),
})

export function deliveryTimesToJson(delays: readonly number[]) {
  const [p50, p90, p95, p99] = readQuantiles(delays, [0.5, 0.9, 0.95, 0.99])
  return { p50, p90, p95, p99 }
}
