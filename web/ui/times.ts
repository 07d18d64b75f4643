const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const CLOCK = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
/** Not `auto`, whose "yesterday" is any time about 24 hours ago, on whichever day. */
const AGES = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const
/** Beyond a week, a date is more useful than an age. */
const AGE_SECONDS_MAX = 7 * 86_400

/** Parses a time of the API (`YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601). Returns null when it is invalid. */
export function readTime(text: string): Date | null {
  const date = new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(date.getTime()) ? null : date
}

export const showLocal = (date: Date): string => LOCAL.format(date)

/** Formats a time with its seconds. */
export const showClock = (date: Date): string => CLOCK.format(date)

/** Returns "4 minutes ago" or "in 2 hours"; a date for times more than a week away. */
export function showAge(date: Date, nowMs = Date.now()): string {
  const seconds = (date.getTime() - nowMs) / 1_000
  if (Math.abs(seconds) > AGE_SECONDS_MAX) return showLocal(date)
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return AGES.format(Math.round(seconds / size), unit)
  }
  return Math.abs(seconds) < 10 ? 'just now' : AGES.format(Math.round(seconds), 'second')
}

/** Formats a duration in its two largest units: `1 h 5 min`, `850 ms`. */
export function showDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  const seconds = ms / 1_000
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return joinUnits(minutes, 'min', Math.floor(seconds % 60), 's')
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return joinUnits(hours, 'h', minutes % 60, 'min')
  return joinUnits(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

function joinUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}

/** The properties of a field for a local time. Without `max`, a year would have six digits, which `Date` cannot read. */
export const LOCAL_TIME = { type: 'datetime-local', max: '9999-12-31T23:59' } as const

/** Returns the value of an `<input type="datetime-local">` for this time, in the user's time zone. */
export function toLocalInput(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
