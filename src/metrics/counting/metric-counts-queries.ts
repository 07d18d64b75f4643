import { arrays } from '../../db/arrays.ts'
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
const PLACE = 'team_id, grain, dimension, since, key'

function placesOf(rows: readonly MetricRow[]): Buffer[] {
  return [
    arrays.uuid(rows.map((row) => row.teamId)),
    arrays.text(rows.map((row) => row.grain)),
    arrays.text(rows.map((row) => row.dimension)),
    arrays.timestamptz(rows.map((row) => new Date(row.sinceMs))),
    arrays.text(rows.map((row) => row.key)),
  ]
}

const ADD_COUNTS = `insert into metric (${PLACE}, ${COUNTERS.join(', ')})
     select *
     from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::text[],
       ${COUNTERS.map((_, index) => `$${index + 6}::int8[]`).join(', ')})
     on conflict (${PLACE}) do update
     set ${COUNTERS.map((counter) => `${counter} = metric.${counter} + excluded.${counter}`).join(',\n       ')}`

/** Adds to the stored counts. Rows must be sorted by key. */
export async function addMetricCounts(tx: Tx, rows: readonly MetricRow[]): Promise<void> {
  if (rows.length === 0) return
  const columns = COUNTERS.map((counter) => arrays.int8(rows.map(({ counts }) => counts[counter])))
  await tx.query(ADD_COUNTS, [...placesOf(rows), ...columns])
}

/**
 * Adds the rows' delays, bucket by bucket. Each array is sent as text, because arrays of different lengths cannot
 * form one array.
 */
export async function addMetricDelays(tx: Tx, all: readonly MetricRow[]): Promise<void> {
  const rows = all.filter(({ delays }) => delays.length > 0)
  if (rows.length === 0) return
  await tx.query(
    `insert into metric_delay (${PLACE}, counts)
     select n.team_id, n.grain, n.dimension, n.since, n.key, n.counts::int8[]
     from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[])
       as n (${PLACE}, counts)
     on conflict (${PLACE}) do update
     set counts = (
       select array_agg(coalesce(b.old, 0) + coalesce(b.new, 0) order by b.place)
       from unnest(metric_delay.counts, excluded.counts) with ordinality as b (old, new, place)
     )`,
    [...placesOf(rows), arrays.text(rows.map(({ delays }) => `{${delays.join(',')}}`))],
  )
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

/** Returns those of the keys that are counted by name in their months. */
export async function findMetricKeys(db: Queryable, keys: readonly MetricKey[]): Promise<MetricKey[]> {
  if (keys.length === 0) return []
  const rows = await db.query<KeyRow>(
    `select m.team_id, m.dimension, m.since, m.key
     from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[]) as k (team_id, dimension, since, key)
     join metric m on m.team_id = k.team_id and m.grain = 'month' and m.dimension = k.dimension
       and m.since = k.since and m.key = k.key`,
    [
      arrays.uuid(keys.map((key) => key.teamId)),
      arrays.text(keys.map((key) => key.dimension)),
      arrays.timestamptz(keys.map((key) => new Date(key.monthMs))),
      arrays.text(keys.map((key) => key.key)),
    ],
  )
  return rows.map(toKey)
}

/** Lists all keys counted by name in these months, up to the limit of each month. */
export async function listMetricKeys(
  db: Queryable,
  months: readonly Omit<MetricKey, 'key'>[],
): Promise<MetricKey[]> {
  if (months.length === 0) return []
  const rows = await db.query<KeyRow>(
    `select m.team_id, m.dimension, m.since, m.key
     from unnest($1::uuid[], $2::text[], $3::timestamptz[]) as k (team_id, dimension, since)
     join metric m on m.team_id = k.team_id and m.grain = 'month' and m.dimension = k.dimension
       and m.since = k.since`,
    [
      arrays.uuid(months.map((month) => month.teamId)),
      arrays.text(months.map((month) => month.dimension)),
      arrays.timestamptz(months.map((month) => new Date(month.monthMs))),
    ],
  )
  return rows.map(toKey)
}
