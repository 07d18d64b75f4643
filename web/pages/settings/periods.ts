import type { Retention } from '../../api/account-records.ts'
import { plural } from '../../ui/plural.ts'

export const KINDS = ['content', 'attempts', 'events', 'webhook_deliveries'] as const
/** Each is a number of days such as `30d`, or `forever`. */
export type Periods = Record<(typeof KINDS)[number], string>

const COMMON = ['1d', '3d', '7d', '14d', '30d', '60d', '90d', '180d', '365d', '730d', 'forever']
/** Events are kept at least a week, so that a consumer of the feed can be offline for that long. */
const EVENTS_DAYS_MIN = 7

const daysOf = (period: string): number =>
  period === 'forever' ? Number.POSITIVE_INFINITY : Number.parseInt(period, 10)

export const isShorter = (one: string, other: string): boolean => daysOf(one) < daysOf(other)

/** Formats a period to follow "for": "30 days", or "good" for `forever`. */
export function showPeriod(period: string): string {
  if (period === 'forever') return 'good'
  const days = daysOf(period)
  return `${days} ${plural(days, 'day', 'days')}`
}

/** Returns the usual periods that the operator allows, plus the current and the longest one. */
export function choicesFor(
  retention: Retention,
  kind: (typeof KINDS)[number],
): { value: string; label: string }[] {
  const limit = retention.limits[kind]
  const daysMin = kind === 'events' ? EVENTS_DAYS_MIN : 1
  const choices = COMMON.filter((period) => daysOf(period) >= daysMin && !isShorter(limit, period))
  return [...new Set([...choices, retention[kind], limit])]
    .sort((a, b) => (isShorter(a, b) ? -1 : isShorter(b, a) ? 1 : 0))
    .map((period) => ({ value: period, label: labelOf(period, limit) }))
}

function labelOf(period: string, limit: string): string {
  const words = period === 'forever' ? 'Forever' : showPeriod(period)
  return period === limit && period !== 'forever' ? `${words} (the longest allowed)` : words
}
