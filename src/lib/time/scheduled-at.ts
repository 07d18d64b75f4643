import { parseNaturalTime } from './natural-time.ts'

const YEAR_MS = 365 * 24 * 3_600_000

/** Date and time of day as in ISO 8601, seconds and offset optional; nothing that Date would have to guess. */
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?$/

/**
 * Parses `scheduled_at`: an exact instant, UTC without an offset, or a time such as `in 1 hour`, in the future and at most
 * 365 days ahead. Nonexistent dates, :60 and 24:00 are rejected rather than rolled over.
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
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const offsetHours = Number(match[10] ?? 0)
  const offsetMinutes = Number(match[11] ?? 0)
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 14 || offsetMinutes > 59) return null
  const local = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds)
  const check = new Date(local)
  if (check.getUTCMonth() !== month - 1 || check.getUTCDate() !== day || check.getUTCFullYear() !== year)
    return null
  const offsetMs = (offsetHours * 60 + offsetMinutes) * 60_000 * (match[9] === '-' ? -1 : 1)
  return new Date(local - offsetMs)
}
