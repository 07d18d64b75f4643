import type { Queryable } from '../../db/db-types.ts'
import { addDelays } from '../counting/delays.ts'
import {
  COUNTERS,
  type Counts,
  type Dimension,
  dimensionsOf,
  noCounts,
} from '../counting/metric-counts-queries.ts'
import type { Period } from './period.ts'
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

/** A dimension of the API, which adds simulated mail on request. */
export type MetricDimension = Exclude<Dimension, `${string}_simulated`>

export interface MetricsSelection {
  period: Period
  /** The key to read; `all` has the key ''. */
  of: { dimension: MetricDimension; key: string }
  /** Null: ungrouped. */
  by: Exclude<MetricDimension, 'all'> | null
  hasSimulated: boolean
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
  query: MetricsSelection,
  now: Date,
): Promise<Metrics> {
  const { period, of, hasSimulated } = query
  const { grain, from, before } = period
  // Read first, so that the result includes at least what `asOf` promises.
  const { isWhole, countedAt } = await findUncountedSince(db, teamId)
  const times = listTimes({ grain, from, before })
  const [points, groups] = await Promise.all([
    readMetricPoints(
      db,
      teamId,
      { grain, dimensions: dimensionsOf(of.dimension, hasSimulated), key: of.key },
      times,
    ),
    query.by === null ? [] : readGroups(db, teamId, query, query.by),
  ])
  const total = new Sum()
  for (const point of points) total.add(point)
  return {
    asOf: isWhole ? now : countedAt,
    total,
    series: fillSeries(period, points),
    groups,
  }
}

function fillSeries({ starts }: Period, points: readonly MetricPoint[]): Metrics['series'] {
  const sums = starts.map(() => new Sum())
  for (const point of points) sums[findStep(starts, point.sinceMs)]?.add(point)
  return starts.map((at, index) => {
    const { counts, delays } = sums[index] ?? new Sum()
    return { at, counts, delays }
  })
}

/** Returns the index of the last start at or before a time. */
function findStep(starts: readonly Date[], atMs: number): number {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] as Date).getTime() <= atMs) low = middle
    else high = middle
  }
  return low
}

async function readGroups(
  db: Queryable,
  teamId: string,
  { period: { from, before }, groupsMax, hasSimulated }: MetricsSelection,
  dimension: MetricDimension,
): Promise<Metrics['groups']> {
  const spans = coverTimes(from, before)
  const by = dimensionsOf(dimension, hasSimulated)
  const keys = await rankMetricKeys(db, teamId, by, spans, groupsMax)
  const counts = await sumMetricKeys(db, teamId, by, spans, keys)
  const delays = new Map(keys.map((key) => [key, [] as number[]]))
  for (const row of await readKeyDelays(db, teamId, by, spans, keys)) {
    addDelays(delays.get(row.key) ?? [], row.delays)
  }
  return keys.map((key) => ({ key, counts: counts.get(key) ?? noCounts(), delays: delays.get(key) ?? [] }))
}
