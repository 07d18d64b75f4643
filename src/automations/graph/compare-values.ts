import { parseInstant } from '../../lib/time/scheduled-at.ts'
import type { Scalar } from './graph-types.ts'

const DAY_MS = 24 * 3_600_000
const DAY = /^\d{4}-\d{2}-\d{2}$/
/** A decimal number in common or JSON notation. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/
const NUMBER_CHARS_MAX = 100
const DATE_CHARS_MAX = 40

/** Returns a finite number, or a text that is one; null: neither. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || value.length > NUMBER_CHARS_MAX) return null
  const text = value.trim()
  return NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : null
}

/** A span of time in milliseconds since 1970: from `start` until before `end`. */
interface Span {
  start: number
  end: number
}

/** Returns the 24 hours in UTC of an ISO 8601 day, or the millisecond of an instant; null: the value is no date. */
export function spanOf(value: unknown): Span | null {
  if (value instanceof Date) return spanFrom(value.getTime(), 1)
  if (typeof value !== 'string' || value.length > DATE_CHARS_MAX) return null
  const text = value.trim()
  const isDay = DAY.test(text)
  const at = parseInstant(isDay ? `${text}T00:00:00Z` : text)
  return at && spanFrom(at.getTime(), isDay ? DAY_MS : 1)
}

function spanFrom(start: number, lengthMs: number): Span | null {
  return Number.isFinite(start) ? { start, end: start + lengthMs } : null
}

/**
 * Returns whether a value of an event or a contact equals one of a rule. As in segments, texts are compared ignoring case, and a
 * day stands for all of its hours.
 *
 * | Found            | In the rule         | Equal                                          |
 * |------------------|---------------------|------------------------------------------------|
 * | nothing, or null | null                | yes                                            |
 * | nothing, or null | anything else       | no                                             |
 * | number           | number, or its text | as numbers: `"10"` and `10`                    |
 * | text of a number | number              | as numbers                                     |
 * | text             | text                | ignoring case, or as times: one instant or day |
 * | date             | ISO 8601 text       | as times                                       |
 * | boolean          | boolean, or its text| `true` and `"true"`                            |
 * | list or object   | anything            | no                                             |
 */
export function isSameValue(found: unknown, value: Scalar | null): boolean {
  if (found === undefined || found === null || value === null) return (found ?? null) === value
  if (typeof found === 'boolean' || typeof value === 'boolean') {
    return typeof found !== 'object' && String(found).toLowerCase() === String(value).toLowerCase()
  }
  if (typeof found === 'number' || typeof value === 'number') {
    const number = numberOf(found)
    return number !== null && number === numberOf(value)
  }
  if (typeof found === 'string' && foldText(found) === foldText(value)) return true
  return isWithin(found, value)
}

function isWithin(found: unknown, value: string): boolean {
  const [at, span] = [spanOf(found), spanOf(value)]
  return at !== null && span !== null && at.start >= span.start && at.start < span.end
}

/**
 * Returns a negative number if a value comes before one of a rule, 0 if they are equal, a positive number if it comes after;
 * null: they cannot be compared. A number of a rule is compared with numbers and their texts, a text with dates: every hour of a
 * day is equal to the day.
 */
export function compareWith(found: unknown, value: number | string): number | null {
  if (typeof value === 'number') {
    const number = numberOf(found)
    return number === null ? null : Math.sign(number - value)
  }
  const [at, span] = [spanOf(found), spanOf(value)]
  if (at === null || span === null) return null
  return at.start < span.start ? -1 : at.start < span.end ? 0 : 1
}

/** Returns a text as comparisons see it. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** Returns the text of a value that has one, as `contains` sees it; null: it has none. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return value instanceof Date && Number.isFinite(value.getTime()) ? value.toISOString() : null
}
