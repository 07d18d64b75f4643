import type { EmailMetrics } from '../../api/records.ts'
import { readTime } from '../times.ts'

/** Counts over time, by hour or day. */
export interface Timeline extends Pick<EmailMetrics, 'interval' | 'as_of'> {
  series: readonly Pick<EmailMetrics['series'][number], 'at' | 'counts'>[]
}

const HOURS = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' })
const DAYS = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Formats the time of a point: hours in the user's time zone, days in UTC. */
export function showAt(at: string, interval: string): string {
  const date = readTime(at)
  return date === null ? at : (interval === 'hour' ? HOURS : DAYS).format(date)
}

const HOUR_MS = 3_600_000

/** Returns the time that a point stands for, an hour or a day, in milliseconds. */
export function stepMsOf({ interval }: Pick<EmailMetrics, 'interval'>): number {
  return interval === 'hour' ? HOUR_MS : 24 * HOUR_MS
}

/** Returns the index of the first point whose time is not over, or not counted to its end; else the number of points. */
export function firstOpenOf(metrics: Timeline): number {
  const { series, as_of } = metrics
  const countedMs = as_of === null ? 0 : (readTime(as_of)?.getTime() ?? 0)
  const stepMs = stepMsOf(metrics)
  const first = series.findIndex(({ at }) => (readTime(at)?.getTime() ?? 0) + stepMs > countedMs)
  return first === -1 ? series.length : first
}
