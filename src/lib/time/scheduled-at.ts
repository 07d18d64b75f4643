import { parseNaturalTime } from './natural-time.ts'

const YEAR_MS = 365 * 24 * 3_600_000

/**
 * Date and time of day of ISO 8601, extended or basic; seconds, offset and the minutes of the offset are optional. Nothing that
 * Date would have to guess.
 */
const ISO =
  /^(\d{4})(-?)(\d{2})\2(\d{2})[Tt ](\d{2})(:?)(\d{2})(?:\6(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)?$/

/**
 * Parses `scheduled_at`: an exact instant, UTC without an offset, or a time such as `in 1 hour`, in the future and at most
 * 365 days ahead. Nonexistent dates and :60 are rejected rather than rolled over; 24:00 is the end of the day.
 * @returns the instant, or why it is rejected
 */
export function parseScheduledAt(text: string, now: Date): Date | { problem: string } {
  const at = parseInstant(text) ?? parseNaturalTime(text, now)
  if (at === null) return { problem: 'The scheduled_at field must be an ISO 8601 timestamp.' }
  if (at.getTime() <= now.getTime())
    return { problem: 'The scheduled_at field must be a date in the future.' }
  if (at.getTime() - now.getTime() > YEAR_MS) {
    return { problem: 'The scheduled_at field must be within 365 days from now.' }
  }
  return at
}

/** Parses an ISO 8601 instant, UTC without an offset; null for anything else. */
export function parseInstant(text: string): Date | null {
  const match = ISO.exec(text)
  if (match === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHours = 0, offsetMinutes = 0] =
    [1, 3, 4, 5, 7, 8, 11, 12].map((group) => Number(match[group] ?? 0))
  const milliseconds = Number((match[9] ?? '').padEnd(3, '0').slice(0, 3))
  const isEndOfDay = hour === 24 && minute === 0 && second === 0 && milliseconds === 0
  if ((hour > 23 && !isEndOfDay) || minute > 59 || second > 59 || offsetHours > 14 || offsetMinutes > 59)
    return null
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || date.getUTCFullYear() !== year)
    return null
  const local = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds)
  const offsetMs = (offsetHours * 60 + offsetMinutes) * 60_000 * (match[10] === '-' ? -1 : 1)
  return new Date(local - offsetMs)
}
