import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'

/** The counters, which are columns of `metric`; docs/guides/metrics.md describes each. */
export const COUNTERS = [
  'emails',
  'accepted',
  'queued',
  'scheduled',
  'canceled',
  'attempted',
  'sent',
  'delivered',
  'delivery_delayed',
  'bounced',
  'bounced_hard',
  'failed',
  'rejected',
  'suppressed',
  'complained',
  'opened',
  'opened_unique',
  'opened_machine',
  'clicked',
  'clicked_unique',
  'clicked_machine',
] as const

export type Counter = (typeof COUNTERS)[number]
export type Counts = Record<Counter, number>

export type Grain = 'hour' | 'day' | 'month'
type RealDimension = 'all' | 'domain' | 'tag' | 'template' | 'sender' | 'reason'
/** Simulated mail is counted apart, under the same keys. Of providers, it has one that no other mail has. */
export type Dimension = RealDimension | `${RealDimension}_simulated` | 'provider'

/** Returns the dimensions to add up: of real mail, and of simulated mail if that is included. */
export function dimensionsOf(
  dimension: Exclude<Dimension, `${string}_simulated`>,
  hasSimulated: boolean,
): Dimension[] {
  return hasSimulated && dimension !== 'provider' ? [dimension, `${dimension}_simulated`] : [dimension]
}

/** The counts of one time, dimension and key. */
export interface MetricRow {
  teamId: string
  grain: Grain
  dimension: Dimension
  sinceMs: number
  key: string
  counts: Counts
  /** The number of deliveries in each delay bucket; empty when there are none. */
  delays: readonly number[]
}

const NO_COUNTS = Object.fromEntries(COUNTERS.map((counter) => [counter, 0])) as Counts

export function noCounts(): Counts {
  return { ...NO_COUNTS }
}

/** The key columns. Rows are written in this order, to prevent deadlocks. */
const PLACES = batchOf('team_id uuid, grain text, dimension text, since timestamptz, key text', {
  since: ({ sinceMs }: MetricRow) => new Date(sinceMs),
})

const COUNTS = batchOf(
  COUNTERS.map((counter) => `${counter} int8`).join(', '),
  Object.fromEntries(COUNTERS.map((counter) => [counter, ({ counts }: MetricRow) => counts[counter]])),
)

const MERGE_COUNTS = `on conflict (${PLACES.names}) do update
  set ${COUNTERS.map((counter) => `${counter} = metric.${counter} + excluded.${counter}`).join(',\n    ')}`

const ADD_COUNTS = `insert into metric (${PLACES.names}, ${COUNTS.names})
  select *
  from unnest(${PLACES.arrays}, ${COUNTS.arraysFrom(6)})
  ${MERGE_COUNTS}`

/** Adds to the stored counts. Rows must be sorted by key. */
export async function addMetricCounts(tx: Tx, rows: readonly MetricRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(ADD_COUNTS, [...PLACES.values(rows), ...COUNTS.values(rows)])
}

const MERGE_DELAYS = `on conflict (${PLACES.names}) do update
  set counts = (
    select array_agg(coalesce(b.old, 0) + coalesce(b.new, 0) order by b.place)
    from unnest(metric_delay.counts, excluded.counts) with ordinality as b (old, new, place)
  )`

const ADD_DELAYS = `insert into metric_delay (${PLACES.names}, counts)
  select n.team_id, n.grain, n.dimension, n.since, n.key, n.counts::int8[]
  from unnest(${PLACES.arrays}, $6::text[]) as n (${PLACES.names}, counts)
  ${MERGE_DELAYS}`

/**
 * Adds the rows' delays, bucket by bucket. Each array is sent as text, because arrays of different lengths cannot
 * form one array.
 */
export async function addMetricDelays(tx: Tx, all: readonly MetricRow[]): Promise<void> {
  const rows = all.filter(({ delays }) => delays.length > 0)
  if (rows.length === 0) return
  const delays = arrays.text(rows.map((row) => `{${row.delays.join(',')}}`))
  await tx.query(ADD_DELAYS, [...PLACES.values(rows), delays])
}

/** The rows of the dimensions whose keys are addresses. */
const OF_SENDER = `m.team_id = $1 and m.grain in ('hour', 'day', 'month')
    and m.dimension in ('sender', 'sender_simulated') and m.key = $2`

const COPY_SENDER_COUNTS = `insert into metric (${PLACES.names}, ${COUNTS.names})
  select m.team_id, m.grain, m.dimension, m.since, $3::text, ${COUNTERS.map((counter) => `m.${counter}`).join(', ')}
  from metric m
  where ${OF_SENDER}
  order by m.grain, m.dimension, m.since
  ${MERGE_COUNTS}`

const COPY_SENDER_DELAYS = `insert into metric_delay (${PLACES.names}, counts)
  select m.team_id, m.grain, m.dimension, m.since, $3::text, m.counts
  from metric_delay m
  where ${OF_SENDER}
  order by m.grain, m.dimension, m.since
  ${MERGE_DELAYS}`

/**
 * Moves the counts of a sender to another key, where later events of erased emails may be counted already. Call it after the
 * emails are erased. Its lock waits for a count that has read their old address.
 */
export async function renameCountedSender(
  tx: Tx,
  teamId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx.query('select 1 from metric_feed where team_id = $1 for update', [teamId])
  await tx.query(COPY_SENDER_COUNTS, [teamId, from, to])
  await tx.query(`delete from metric m where ${OF_SENDER}`, [teamId, from])
  await tx.query(COPY_SENDER_DELAYS, [teamId, from, to])
  await tx.query(`delete from metric_delay m where ${OF_SENDER}`, [teamId, from])
}

/** A key counted in one month. */
export interface MetricKey {
  teamId: string
  dimension: Dimension
  monthMs: number
  key: string
}

interface KeyRow {
  teamId: string
  dimension: Dimension
  since: Date
  key: string
}

function toKey(row: KeyRow): MetricKey {
  return { teamId: row.teamId, dimension: row.dimension, monthMs: row.since.getTime(), key: row.key }
}

const MONTH = { since: ({ monthMs }: { monthMs: number }) => new Date(monthMs) }
const KEYS = batchOf('team_id uuid, dimension text, since timestamptz, key text', MONTH)

const FIND_METRIC_KEYS = `select m.team_id, m.dimension, m.since, m.key
  from unnest(${KEYS.arrays}) as k (${KEYS.names})
  join metric m on m.team_id = k.team_id and m.grain = 'month' and m.dimension = k.dimension
    and m.since = k.since and m.key = k.key`

/** Returns those of the keys that are counted by name in their months. */
export async function findMetricKeys(db: Queryable, keys: readonly MetricKey[]): Promise<MetricKey[]> {
  if (keys.length === 0) return []
  const rows = await db.query<KeyRow>(FIND_METRIC_KEYS, KEYS.values(keys))
  return rows.map(toKey)
}

const MONTHS = batchOf('team_id uuid, dimension text, since timestamptz', MONTH)

const LIST_METRIC_KEYS = `select m.team_id, m.dimension, m.since, m.key
  from unnest(${MONTHS.arrays}) as k (${MONTHS.names})
  join metric m on m.team_id = k.team_id and m.grain = 'month' and m.dimension = k.dimension
    and m.since = k.since`

/** Lists all keys counted by name in these months, up to the limit of each month. */
export async function listMetricKeys(
  db: Queryable,
  months: readonly Omit<MetricKey, 'key'>[],
): Promise<MetricKey[]> {
  if (months.length === 0) return []
  const rows = await db.query<KeyRow>(LIST_METRIC_KEYS, MONTHS.values(months))
  return rows.map(toKey)
}
