import type { CampaignMetrics } from '../../api/records.ts'
import type { Timeline } from '../../ui/metrics/points.ts'
import { readTime } from '../../ui/times.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** What happens in this time is shown by hour: most emails are read in it. */
const BY_HOUR_MAX = 72
const DAYS_MAX = 31

/**
 * Returns the counts of a campaign over time, as the charts of metrics take them: an entry for each hour since the first, or for
 * each day (UTC) of the first month if it took longer than three days. Null without any.
 */
export function seriesOf({ hours }: Pick<CampaignMetrics, 'hours'>, now: Date): Timeline | null {
  const timed = hours.map(({ at, counts }) => ({ atMs: readTime(at)?.getTime() ?? 0, counts }))
  const firstMs = timed[0]?.atMs
  const lastMs = timed.at(-1)?.atMs
  if (firstMs === undefined || lastMs === undefined) return null
  const isByHour = lastMs - firstMs < BY_HOUR_MAX * HOUR_MS
  const stepMs = isByHour ? HOUR_MS : DAY_MS
  const startMs = Math.floor(firstMs / stepMs) * stepMs
  const count = Math.min(isByHour ? BY_HOUR_MAX : DAYS_MAX, Math.floor((lastMs - startMs) / stepMs) + 1)
  const series = Array.from({ length: count }, (_, index) => ({
    at: new Date(startMs + index * stepMs).toISOString(),
    counts: {} as Record<string, number>,
  }))
  for (const { atMs, counts } of timed) {
    const sums = series[Math.floor((atMs - startMs) / stepMs)]?.counts
    if (sums === undefined) continue
    for (const [name, value] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + value
  }
  return { series, interval: isByHour ? 'hour' : 'day', as_of: now.toISOString() }
}
