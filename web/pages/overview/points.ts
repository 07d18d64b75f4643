import type { EmailMetrics } from '../../api/records.ts'
import { readTime } from '../../ui/times.ts'
import { SERIES } from './series.ts'

const HOURS = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' })
const DAYS = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The time, `at`, and the count of each series by its label. */
export type Point = Record<string, string | number>

export function pointsOf({ series, interval }: EmailMetrics): Point[] {
  return series.map(({ at, counts }) => ({
    at: showAt(at, interval),
    ...Object.fromEntries(SERIES.map(({ label, countOf }) => [label, countOf(counts)])),
  }))
}

/** Formats the time of a point: hours in the user's time zone, days in UTC. */
export function showAt(at: string, interval: string): string {
  const date = readTime(at)
  return date === null ? at : (interval === 'hour' ? HOURS : DAYS).format(date)
}
