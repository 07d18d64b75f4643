/**
 * Stores times as counts in buckets whose bounds grow by a constant factor, so that quantiles are at most 5 % off and
 * rows can be added (DDSketch: Masson, Rim, Lee, PVLDB 12(12), 2019). With bounds g^i, every value of a bucket lies
 * within (g-1)/(g+1) of 2g^i/(g+1).
 */
const ERROR_MAX = 0.05
const FACTOR = (1 + ERROR_MAX) / (1 - ERROR_MAX)
const LOG_FACTOR = Math.log(FACTOR)
/** Longer times count as ten days: no email lives that long. */
const DELAY_MAX_MS = 10 * 24 * 3_600_000

/** Returns the bucket of a time. The first one holds everything up to a millisecond. */
export function bucketOf(ms: number): number {
  if (ms <= 1) return 0
  return Math.ceil(Math.log(Math.min(ms, DELAY_MAX_MS)) / LOG_FACTOR)
}

/** Returns the value that represents a bucket, in milliseconds. */
function typicalMs(bucket: number): number {
  return bucket === 0 ? 1 : (2 * FACTOR ** bucket) / (FACTOR + 1)
}

/** Adds `counts` to `sums`, which grows as needed. */
export function addDelays(sums: number[], counts: readonly number[]): void {
  while (sums.length < counts.length) sums.push(0)
  for (const [bucket, count] of counts.entries()) sums[bucket] = (sums[bucket] as number) + count
}

/** Returns the quantiles for these shares, in whole milliseconds; null when nothing was counted. */
export function readQuantiles(counts: readonly number[], shares: readonly number[]): (number | null)[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return shares.map(() => null)
  return shares.map((share) => {
    const rank = Math.max(1, Math.ceil(share * total))
    let below = 0
    const bucket = counts.findIndex((count) => {
      below += count
      return below >= rank
    })
    return Math.round(typicalMs(bucket))
  })
}
