import type { Queryable } from '../db/db-types.ts'
import { addDelays } from './delays.ts'
import { COUNTERS, type Counts, type Dimension, noCounts } from './metric-counts-queries.ts'
import {
  findUncountedSince,
  listTimes,
  type MetricPoint,
  rankMetricKeys,
  readKeyDelays,
  readMetricPoints,
  sumMetricKeys,
} from './read-metrics-queries.ts'
import { coverTimes } from './spans.ts'

export interface MetricsQuery {
  interval: 'hour' | 'day'
  /** The start of an hour or day. */
  from: Date
  before: Date
  /** The key to read; `all` has the key ''. */
  of: { dimension: Dimension; key: string }
  /** Null: ungrouped. */
  by: Exclude<Dimension, 'all'> | null
  groupsMax: number
}

/** Counts, and the number of deliveries in each delay bucket. */
export interface MetricsResult {
  counts: Counts
  delays: readonly number[]
}

export interface Metrics {
  /** Everything before this time is included. Null if nothing has been counted yet. */
  asOf: Date | null
  total: MetricsResult
  series: (MetricsResult & { at: Date })[]
  /** Largest volume first. */
  groups: (MetricsResult & { key: string })[]
}

class Sum implements MetricsResult {
  readonly counts = noCounts()
  readonly delays: number[] = []

  add({ counts, delays }: MetricsResult): void {
    for (const counter of COUNTERS) this.counts[counter] += counts[counter]
    addDelays(this.delays, delays)
  }
}

/** Returns a team's metrics, with zeros where nothing happened. */
export async function readMetrics(
  db: Queryable,
  teamId: string,
  query: MetricsQuery,
  now: Date,
): Promise<Metrics> {
  const { interval: grain, from, before, of } = query
  // Read first, so that the result includes at least what `asOf` promises.
  const { isWhole, countedAt } = await findUncountedSince(db, teamId)
  const times = listTimes({ grain, from, before })
  const [points, groups] = await Promise.all([
    readMetricPoints(db, teamId, { grain, ...of }, times),
    query.by === null ? [] : readGroups(db, teamId, query, query.by),
  ])
  const total = new Sum()
  for (const point of points) total.add(point)
  return {
    asOf: isWhole ? now : countedAt,
    total,
    series: fillSeries(times, points),
    groups,
  }
}

function fillSeries(times: readonly Date[], points: readonly MetricPoint[]): Metrics['series'] {
  const known = new Map(points.map((point) => [point.sinceMs, point]))
  const nothing = new Sum()
  return times.map((at) => {
    const { counts, delays } = known.get(at.getTime()) ?? nothing
    return { at, counts, delays }
  })
}

async function readGroups(
  db: Queryable,
  teamId: string,
  { from, before, groupsMax }: MetricsQuery,
  by: Dimension,
): Promise<Metrics['groups']> {
  const spans = coverTimes(from, before)
  const keys = await rankMetricKeys(db, teamId, by, spans, groupsMax)
  const counts = await sumMetricKeys(db, teamId, by, spans, keys)
  const delays = new Map(keys.map((key) => [key, [] as number[]]))
  for (const row of await readKeyDelays(db, teamId, by, spans, keys)) {
    addDelays(delays.get(row.key) ?? [], row.delays)
  }
  return keys.map((key) => ({ key, counts: counts.get(key) ?? noCounts(), delays: delays.get(key) ?? [] }))
}
