import type { EmailMetrics } from '../../api/records.ts'
import { readTime } from '../../ui/times.ts'

export const HOURS = 24
export const DAYS = 7

/** The days of the week, from Monday on. 5 January 2026 was a Monday. */
export const DAY_NAMES = Array.from({ length: DAYS }, (_, day) =>
  new Intl.DateTimeFormat(undefined, { weekday: 'short' }).format(new Date(2026, 0, 5 + day)),
)

/** Adds up an hourly series by day of the week, from Monday on, and hour, both in the user's time zone. */
export function sumByHourOfWeek({ series }: Pick<EmailMetrics, 'series'>, counter: string): number[][] {
  const sums = Array.from({ length: DAYS }, () => Array.from({ length: HOURS }, () => 0))
  for (const { at, counts } of series) {
    const date = readTime(at)
    const row = date === null ? undefined : sums[(date.getDay() + 6) % DAYS]
    if (date === null || row === undefined) continue
    const hour = date.getHours()
    row[hour] = (row[hour] ?? 0) + ((counts as Readonly<Record<string, number>>)[counter] ?? 0)
  }
  return sums
}
