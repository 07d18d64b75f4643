import { invalidField } from '../../lib/api-error.ts'
import { parseInstant } from '../../lib/time/scheduled-at.ts'

const DATE = /^\d{4}-\d{2}-\d{2}$/
const DAY_MS = 24 * 3_600_000

/**
 * Parses a date or timestamp, in UTC without an offset. A date as an end means the end of that day. Throws ApiError.
 */
export function readDate(field: string, text: string, isEnd: boolean): Date {
  const isDay = DATE.test(text)
  const at = parseInstant(isDay ? `${text}T00:00` : text)
  if (at === null) throw invalidField(field, `The ${field} field must be an ISO 8601 date.`)
  // Ids contain milliseconds since 1970, so no record is older.
  const atMs = Math.max(0, at.getTime())
  return new Date(isEnd && isDay ? atMs + DAY_MS : atMs)
}
