import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Queryable } from '../../db/db-types.ts'
import { type CamelCase, toCamelCase } from '../../db/rows.ts'
import { isUuid } from '../../lib/ids.ts'
import {
  COUNTERS,
  type Counter,
  type Counts,
  type Dimension,
  type Grain,
  noCounts,
} from '../counting/metric-counts-queries.ts'

/** The counts of one key at one time. */
export interface MetricPoint {
  sinceMs: number
  counts: Counts
  delays: readonly number[]
}

/** Times of one grain, from `from` (inclusive) to `before` (exclusive). */
export interface Span {
  grain: Grain
  from: Date
  before: Date
}

type CountRow = Record<CamelCase<Counter>, number>

/** The API names the counters like their columns. */
const KEYS = COUNTERS.map((counter) => [counter, toCamelCase(counter)] as const)

const SUMS = COUNTERS.map((counter) => `sum(m.${counter})::int8 as ${counter}`).join(', ')
const COLUMNS = COUNTERS.map((counter) => `m.${counter}`).join(', ')

function toCounts(row: CountRow): Counts {
  const counts = noCounts()
  for (const [counter, key] of KEYS) counts[counter] = row[key]
  return counts
}

/** Parses a PostgreSQL array such as `{1,2,3}`. */
function toNumbers(text: string | null): number[] {
  return text === null || text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)
}

/** Returns the counts of one key in these dimensions at the given times, if any. Each is one index look-up. */
export async function readMetricPoints(
  db: Queryable,
  teamId: string,
  place: { grain: Grain; dimensions: readonly Dimension[]; key: string },
  times: readonly Date[],
): Promise<MetricPoint[]> {
  const rows = await db.query<CountRow & { since: Date; delays: string | null }>(
    `select m.since, ${COLUMNS}, d.counts::text as delays
     from unnest($4::timestamptz[]) as t (since)
     cross join unnest($3::text[]) as x (dimension)
     join metric m on m.team_id = $1 and m.grain = $2 and m.dimension = x.dimension and m.since = t.since
       and m.key = $5
     left join metric_delay d on d.team_id = $1 and d.grain = $2 and d.dimension = x.dimension and d.since = t.since
       and d.key = $5`,
    [teamId, place.grain, arrays.text(place.dimensions), arrays.timestamptz(times), place.key],
  )
  return rows.map((row) => ({
    sinceMs: row.since.getTime(),
    counts: toCounts(row),
    delays: toNumbers(row.delays),
  }))
}

const SPANS = batchOf('grain text, first timestamptz, behind timestamptz', {
  first: ({ from }: Span) => from,
  behind: ({ before }: Span) => before,
})

/** Returns up to `countMax` keys of these dimensions in these spans, largest volume first. */
export async function rankMetricKeys(
  db: Queryable,
  teamId: string,
  dimensions: readonly Dimension[],
  spans: readonly Span[],
  countMax: number,
): Promise<string[]> {
  const rows = await db.query<{ key: string }>(
    `select m.key
     from unnest(${SPANS.arraysFrom(4)}) as s (${SPANS.names})
     cross join unnest($2::text[]) as x (dimension)
     join metric m on m.team_id = $1 and m.grain = s.grain and m.dimension = x.dimension
       and m.since >= s.first and m.since < s.behind
     group by m.key
     order by sum(m.attempted) desc, sum(m.accepted) desc, sum(m.bounced + m.failed + m.rejected) desc, m.key
     limit $3`,
    [teamId, arrays.text(dimensions), countMax, ...SPANS.values(spans)],
  )
  return rows.map(({ key }) => key)
}

const TIMES = batchOf('grain text, since timestamptz')

/** Sums the counts of some keys in these spans. */
export async function sumMetricKeys(
  db: Queryable,
  teamId: string,
  dimensions: readonly Dimension[],
  spans: readonly Span[],
  keys: readonly string[],
): Promise<Map<string, Counts>> {
  const rows = await db.query<CountRow & { key: string }>(
    `select m.key, ${SUMS}
     from unnest(${TIMES.arraysFrom(4)}) as t (${TIMES.names})
     cross join unnest($2::text[]) as x (dimension)
     join metric m on m.team_id = $1 and m.grain = t.grain and m.dimension = x.dimension and m.since = t.since
       and m.key = any ($3::text[])
     group by m.key`,
    [teamId, arrays.text(dimensions), arrays.text(keys), ...TIMES.values(timesOf(spans))],
  )
  return new Map(rows.map((row) => [row.key, toCounts(row)]))
}

/** Returns the stored delays of some keys in these spans, row by row. */
export async function readKeyDelays(
  db: Queryable,
  teamId: string,
  dimensions: readonly Dimension[],
  spans: readonly Span[],
  keys: readonly string[],
): Promise<{ key: string; delays: readonly number[] }[]> {
  const rows = await db.query<{ key: string; counts: string }>(
    `select d.key, d.counts::text as counts
     from unnest(${TIMES.arraysFrom(4)}) as t (${TIMES.names})
     cross join unnest($2::text[]) as x (dimension)
     join metric_delay d on d.team_id = $1 and d.grain = t.grain and d.dimension = x.dimension and d.since = t.since
       and d.key = any ($3::text[])`,
    [teamId, arrays.text(dimensions), arrays.text(keys), ...TIMES.values(timesOf(spans))],
  )
  return rows.map(({ key, counts }) => ({ key, delays: toNumbers(counts) }))
}

function timesOf(spans: readonly Span[]) {
  return spans.flatMap((span) => listTimes(span).map((since) => ({ grain: span.grain, since })))
}

/** Lists the start of each hour, day or month of a span. */
export function listTimes({ grain, from, before }: Span): Date[] {
  const times: Date[] = []
  for (let at = from; at < before; at = nextTime(grain, at)) times.push(at)
  return times
}

const HOUR_MS = 3_600_000

function nextTime(grain: Grain, at: Date): Date {
  if (grain === 'month') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
  return new Date(at.getTime() + (grain === 'day' ? 24 * HOUR_MS : HOUR_MS))
}

/**
 * Returns whether all events are counted (`isWhole`), and the time of the newest counted event. Before the first count,
 * that of the first event: nothing before it is missing.
 */
export async function findUncountedSince(
  db: Queryable,
  teamId: string,
): Promise<{ isWhole: boolean; countedAt: Date | null }> {
  const rows = await db.query<{ isWhole: boolean; countedAt: Date | null }>(
    `select coalesce(m.position, 0) >= f.position as is_whole,
       coalesce(m.counted_at, (
         select e.created_at
         from event e
         where e.team_id = f.team_id
         order by e.position
         limit 1
       )) as counted_at
     from event_feed f
     left join metric_feed m on m.team_id = f.team_id
     where f.team_id = $1`,
    [teamId],
  )
  const row = rows[0]
  return row === undefined
    ? { isWhole: true, countedAt: null }
    : { isWhole: row.isWhole, countedAt: row.countedAt }
}

/** The recent sending statistics of a team. */
export interface Reputation {
  teamId: string
  attempted: number
  bouncedHard: number
  complained: number
  /** Recipients that were delivered to and did not bounce later, on the busiest of several days. */
  takenMost: number
}

/**
 * Sums the 24 hours from `since` for each team. Complaints may concern mail from earlier days: a team that sends much
 * on one day and little on the next still gets complaints about the first. So `takenMost` is the maximum over these
 * hours and the `daysBefore` days before.
 */
export async function sumReputations(
  db: Queryable,
  teams: readonly string[],
  since: Date,
  daysBefore: number,
): Promise<Reputation[]> {
  if (teams.length === 0) return []
  return db.query<Reputation>(
    `select d.team_id, coalesce(sum(d.attempted) filter (where d.day = 0), 0)::int8 as attempted,
       coalesce(sum(d.bounced_hard) filter (where d.day = 0), 0)::int8 as bounced_hard,
       coalesce(sum(d.complained) filter (where d.day = 0), 0)::int8 as complained,
       greatest(max(d.attempted - d.not_taken), 0)::int8 as taken_most
     from (
       select m.team_id, least(0, floor(extract(epoch from m.since - $2) / 86400)) as day, sum(m.attempted) as attempted,
         sum(m.bounced_hard) as bounced_hard, sum(m.complained) as complained,
         sum(m.bounced + m.failed + m.rejected) as not_taken
       from unnest($1::uuid[]) as t (team_id)
       join metric m on m.team_id = t.team_id and m.grain = 'hour' and m.dimension = 'all' and m.key = ''
         and m.since >= $2::timestamptz - make_interval(hours => 24 * $3::int4)
       group by m.team_id, day
     ) d
     group by d.team_id`,
    [arrays.uuid(teams), since, daysBefore],
  )
}

/** Returns the names of the domains or templates that keys refer to, if they still exist. */
export async function findMetricNames(
  db: Queryable,
  teamId: string,
  dimension: Dimension,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (dimension !== 'domain' && dimension !== 'template') return new Map()
  const rows = await db.query<{ id: string; name: string }>(
    `select id, name
     from ${dimension}
     where team_id = $1 and id = any ($2::uuid[])`,
    [teamId, arrays.uuid(keys.filter(isUuid))],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
