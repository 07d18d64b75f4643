import { DAY_MS, startOfDay, startOfMonth } from '../counting/calendar.ts'
import type { Span } from './read-metrics-queries.ts'

/**
 * Returns the fewest rows that cover the time between two whole hours: months in the middle, days around them, hours at
 * the ends. A year is at most eleven months and sixty days.
 */
export function coverTimes(from: Date, before: Date): Span[] {
  const firstDay = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS)
  const lastDay = new Date(startOfDay(before.getTime()))
  if (firstDay >= lastDay) return dropEmpty([{ grain: 'hour', from, before }])
  const firstMonth = monthFrom(firstDay)
  const lastMonth = new Date(startOfMonth(lastDay.getTime()))
  const days: Span[] =
    firstMonth < lastMonth
      ? [
          { grain: 'day', from: firstDay, before: firstMonth },
          { grain: 'month', from: firstMonth, before: lastMonth },
          { grain: 'day', from: lastMonth, before: lastDay },
        ]
      : [{ grain: 'day', from: firstDay, before: lastDay }]
  return dropEmpty([
    { grain: 'hour', from, before: firstDay },
    ...days,
    { grain: 'hour', from: lastDay, before },
  ])
}

function dropEmpty(spans: readonly Span[]): Span[] {
  return spans.filter(({ from, before }) => from < before)
}

/** Returns the first month that begins at this time or later. */
function monthFrom(at: Date): Date {
  const start = new Date(startOfMonth(at.getTime()))
  return start < at ? new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)) : start
}
