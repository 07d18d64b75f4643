import type { Query } from '../../api/request.ts'

/**
 * Converts the days of a list's filters, which are those of the user's time zone, to the times that the API compares
 * with: from the start of the first day to the end of the last. Anything else stays as it is.
 */
export function withLocalDays({
  start_date,
  end_date,
  ...others
}: Readonly<Record<string, string | undefined>>): Query {
  return { ...others, start_date: startOf(start_date, 0), end_date: startOf(end_date, 1) }
}

function startOf(day: string | undefined, daysLater: number): string | undefined {
  if (day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) return day
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + daysLater)
  return Number.isNaN(date.getTime()) ? day : date.toISOString()
}
