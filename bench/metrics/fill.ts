import type pg from 'pg'
import { ensurePartitions } from '../../src/db/partitions/partitions.ts'
import { COUNTERS } from '../../src/metrics/counting/metric-counts-queries.ts'
import { OUTCOMES } from '../../src/metrics/outcomes/outcome-counts-queries.ts'

const DAY_MS = 24 * 3_600_000
const WEEK_MS = 7 * DAY_MS
const SPAN_MS = 52 * WEEK_MS
const SLICE = 100_000

/**
 * The largest number of keys that are counted by name. All have rows for each day, and a fifth of them for each hour.
 */
const KEYS = `
  select 'all' as dimension, '' as key, 0 as number
  union all select 'provider', 'provider' || n, n from generate_series(1, 15) as n
  union all select 'domain', md5('domain' || n)::uuid::text, n from generate_series(1, 500) as n
  union all select 'sender', 'sender' || n || '@bench.test', n from generate_series(1, 500) as n
  union all select 'template', md5('template' || n)::uuid::text, n from generate_series(1, 500) as n
  union all select 'tag', 'tag' || n % 5 || ':value' || n, n from generate_series(1, 500) as n`

const GRAINS = [
  ['hour', '100 days', '1 hour', 'k.number % 5 = 0'],
  ['day', '366 days', '1 day', 'true'],
  ['month', '12 months', '1 month', 'true'],
] as const

/** Inserts the counts of a year of mail, as roll-up.ts writes them. */
export async function fillRollups(client: pg.Client, teamId: string, now: Date): Promise<void> {
  const counts = COUNTERS.map((_, index) => `(t.at_number * 7 + k.number * 13 + ${index}) % 997`)
  for (const [grain, back, step, when] of GRAINS) {
    const rows = `
      from (${KEYS}) k
      cross join generate_series(date_trunc('${grain}', $2::timestamptz - interval '${back}'), $2, '${step}')
        with ordinality as t (since, at_number)
      where ${when}
      order by t.since`
    await client.query(
      `insert into metric select $1::uuid, '${grain}', k.dimension, t.since, k.key, ${counts.join(', ')} ${rows}`,
      [teamId, now],
    )
    await client.query(
      `insert into metric_delay
       select $1::uuid, '${grain}', k.dimension, t.since, k.key,
         (select array_agg(case when b between 55 and 90 then (b * 31 + t.at_number + k.number) % 50 else 0 end)
          from generate_series(0, 95) as b) ${rows}`,
      [teamId, now],
    )
    const outcomes = OUTCOMES.map((_, index) => `(t.at_number * 7 + ${index}) % 997`)
    await client.query(
      `insert into metric_outcome
       select $1::uuid, '${grain}', t.since, x.simulated, ${outcomes.join(', ')}
       from generate_series(date_trunc('${grain}', $2::timestamptz - interval '732 days'), $2, '${step}')
         with ordinality as t (since, at_number)
       cross join (values (false), (true)) as x (simulated)`,
      [teamId, now],
    )
  }
}

const EVENTS = `
  insert into event (team_id, subject_id, id, type, data, created_at, position)
  select $1::uuid, id_at(n / 2, at_ms), id_at(n, at_ms), case when n % 2 = 0 then 'email.queued' else 'email.delivered' end,
    case when n % 2 = 0 then '{}'::jsonb else jsonb_build_object('recipient', 'customer-' || n || '@customers.test',
      'response', 'OK queued as 4F2A1', 'smtp_code', 250, 'enhanced_code', '2.0.0', 'mx_host', 'mx1.customers.test') end,
    to_timestamp(at_ms / 1000.0), n + 1
  from (
    select n, $2::int8 + (n / 2 * $3::float8)::int8 as at_ms
    from generate_series($4::int8, $5::int8) as n
  ) e`

const ID_AT = `
  create or replace function id_at(n int8, at_ms int8) returns uuid immutable language sql as $$
    select (lpad(to_hex(at_ms), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || substr(md5(n::text), 1, 15))::uuid
  $$`

/** Inserts emails for the last events only, which the benchmark counts. */
const EMAILS = `
  insert into email (team_id, id, domain_id, message_id, sender, sender_address, addressees, subject, recipient_count,
    status, last_event, size, created_at, template_id, tags)
  select $1::uuid, id_at(n, at_ms), md5('domain' || n % 20)::uuid, n || '@bench.test', 'a@bench.test', 'a@bench.test',
    jsonb_build_object('to', jsonb_build_array('customer-' || n || '@customers.test'), 'cc', '[]'::jsonb, 'bcc', '[]'::jsonb),
    'Your order', 1, 'delivered', 'delivered', 4000, to_timestamp(at_ms / 1000.0), md5('template' || n % 5)::uuid,
    jsonb_build_array(jsonb_build_object('name', 'kind', 'value', 'v' || n % 8))
  from (
    select n, $2::int8 + (n * $3::float8)::int8 as at_ms
    from generate_series($4::int8, $5::int8) as n
  ) e`

/**
 * Inserts a year of one team's events, two per email, over 52 weekly partitions. All but the last `uncounted`
 * are marked as counted. Emails are inserted for the uncounted events only.
 */
export async function fillEvents(
  clients: readonly pg.Client[],
  teamId: string,
  { count, uncounted, now }: { count: number; uncounted: number; now: Date },
): Promise<void> {
  const first = clients[0] as pg.Client
  const startMs = now.getTime() - SPAN_MS
  for (let at = startMs; at <= now.getTime(); at += WEEK_MS) await ensurePartitions(first, new Date(at))
  await first.query(ID_AT)
  const stepMs = (SPAN_MS - 60_000) / (count / 2)
  const slices = Array.from({ length: Math.ceil(count / SLICE) }, (_, index) => index * SLICE)
  const work = async (client: pg.Client) => {
    for (let from = slices.shift(); from !== undefined; from = slices.shift()) {
      await client.query(EVENTS, [teamId, startMs, stepMs, from, Math.min(from + SLICE, count) - 1])
    }
  }
  await Promise.all(clients.map(work))
  const counted = count - uncounted
  await first.query(EMAILS, [teamId, startMs, stepMs, counted / 2, count / 2 - 1])
  await first.query(
    'insert into event_feed values ($1, $2) on conflict (team_id) do update set position = excluded.position',
    [teamId, count],
  )
  await first.query(
    'insert into metric_feed values ($1, $2, $3) on conflict (team_id) do update set position = excluded.position',
    [teamId, counted, now],
  )
}
