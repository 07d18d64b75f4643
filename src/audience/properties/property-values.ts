import { parseInstant } from '../../lib/time/scheduled-at.ts'
import type { PropertyType } from './properties-queries.ts'

/** A value in the type of its property. */
export type TypedValue = string | number | Date

const STRING_CODE_POINTS_MAX = 1000

/** A decimal number in common or JSON notation, without hexadecimal, `Infinity` or digit groups. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const CALENDAR_DATE = /^\d{4}-\d{2}-\d{2}$/
/** The largest year of four digits. */
const YEAR_MAX = 9999

/**
 * Parses a value of a property. `number`: a JSON number or a numeric string within a double. `date`: an ISO 8601
 * instant (UTC without an offset) or day (its midnight in UTC). `string`: at most 1,000 code points.
 * @param field the name for the message, for example `properties.plan`
 * @returns the value, or the reason to reject it
 */
export function readPropertyValue(
  type: PropertyType,
  value: unknown,
  field: string,
): { value: TypedValue } | { problem: string } {
  switch (type) {
    case 'number':
      return readNumber(value, field)
    case 'date':
      return readDate(value, field)
    case 'string':
      return readString(value, field)
  }
}

function readNumber(raw: unknown, field: string) {
  const text = typeof raw === 'string' ? raw.trim() : String(raw)
  const isScalar = typeof raw === 'number' || typeof raw === 'string'
  // The length first: the pattern takes quadratic time for digits that end in a letter.
  const isNumeric = isScalar && text.length <= STRING_CODE_POINTS_MAX && NUMBER.test(text)
  // Adding 0 turns -0 into 0, because a database may distinguish them.
  const value = isNumeric ? Number(text) + 0 : Number.NaN
  return Number.isFinite(value) ? { value } : { problem: `The ${field} field must be a number.` }
}

function readDate(raw: unknown, field: string) {
  const text = typeof raw === 'string' ? raw.trim() : ''
  const value = parseInstant(CALENDAR_DATE.test(text) ? `${text}T00:00:00Z` : text)
  return value !== null && value.getUTCFullYear() <= YEAR_MAX
    ? { value }
    : { problem: `The ${field} field must be an ISO 8601 date.` }
}

function readString(value: unknown, field: string) {
  if (typeof value !== 'string') return { problem: `The ${field} field must be a string.` }
  if (!value.isWellFormed() || value.includes('\u0000')) {
    return { problem: `The ${field} field must be valid Unicode text.` }
  }
  const max = STRING_CODE_POINTS_MAX
  // A code point has one or two units, so counting is only needed between these bounds.
  if (value.length > 2 * max || (value.length > max && [...value].length > max)) {
    return { problem: `The ${field} field must not be greater than ${max} characters.` }
  }
  return { value }
}
