import type { Span } from '../../store/read-metrics.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * The fewest rows that make up a time from one whole hour to another: months in its middle, days around them, hours at its
 * ends. A year is at most eleven months and sixty days.
 */
export function coverTimes(from: Date, before: Date): Span[] {
  const firstDay = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS)
  const lastDay = new Date(Math.floor(before.getTime() / DAY_MS) * DAY_MS)
  if (firstDay >= lastDay) return keepFilled([{ grain: 'hour', from, before }])
  const firstMonth = monthFrom(firstDay)
  const lastMonth = startOfMonth(lastDay)
  const days: Span[] =
    firstMonth < lastMonth
      ? [
          { grain: 'day', from: firstDay, before: firstMonth },
          { grain: 'month', from: firstMonth, before: lastMonth },
          { grain: 'day', from: lastMonth, before: lastDay },
        ]
      : [{ grain: 'day', from: firstDay, before: lastDay }]
  return keepFilled([
    { grain: 'hour', from, before: firstDay },
    ...days,
    { grain: 'hour', from: lastDay, before },
  ])
}

function keepFilled(spans: readonly Span[]): Span[] {
  return spans.filter(({ from, before }) => from < before)
}

function startOfMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
}

/** The first month that begins then or later. */
function monthFrom(at: Date): Date {
  const start = startOfMonth(at)
  return start < at ? new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)) : start
}
