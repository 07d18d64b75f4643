import type { Query } from '../../api/request.ts'

export const RANGES = [
  { value: '24h', label: '24 hours', days: 1 },
  { value: '7d', label: '7 days', days: 7 },
  { value: '30d', label: '30 days', days: 30 },
  { value: '90d', label: '90 days', days: 90 },
] as const
export const CUSTOM = 'custom'
export const DEFAULT_RANGE = '7d'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The parameters of the page's address that define the time range. */
export type RangeFilters = Partial<Record<'range' | 'start_date' | 'end_date', string>>

export const rangeOf = ({ range }: RangeFilters): string =>
  range === CUSTOM || RANGES.some(({ value }) => value === range) ? String(range) : DEFAULT_RANGE

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Returns the first and last day of a custom range. Those that are not chosen are today, and 30 days before the last. */
export function customDays({ start_date, end_date }: RangeFilters, nowMs: number) {
  const last = end_date ?? dayOf(nowMs)
  return { start_date: start_date ?? dayOf((Date.parse(last) || nowMs) - 30 * DAY_MS), end_date: last }
}

/**
 * Returns the query for the API. The start is rounded to an hour or a day, so that requests repeat and can be cached.
 * Days are in UTC, as in the API.
 */
export function metricsQuery(filters: RangeFilters, nowMs: number): Query {
  const range = rangeOf(filters)
  if (range === CUSTOM) return { interval: 'day', ...customDays(filters, nowMs) }
  if (range === '24h') {
    const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS
    return { interval: 'hour', start_date: new Date(hour - 23 * HOUR_MS).toISOString() }
  }
  const days = RANGES.find(({ value }) => value === range)?.days ?? 0
  return {
    interval: 'day',
    start_date: dayOf(nowMs - (days - 1) * DAY_MS),
  }
}
