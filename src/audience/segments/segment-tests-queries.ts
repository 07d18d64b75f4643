import type { Place } from '../../db/db-types.ts'
import { escapeLike } from '../../db/like.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { suppressionKey } from '../../mime/address.ts'
import type { ValueTest } from './segment-operators.ts'
import type { SegmentCondition } from './segments-queries.ts'

/** A column with the SQL forms that tests use. */
export interface Column {
  sql: string
  /** The text in the form used for comparison: ignoring case, byte by byte. */
  folded: string
  /** The indexed beginning of a long text, in the same form. */
  head?: string
  /** An additional condition that lets an index apply. */
  guard?: string
  kind: 'text' | 'email' | 'number' | 'date' | 'boolean'
  /** The column is the creation time, which the indexed id of the contact contains as well. */
  isCreation?: true
}

/** The length of the indexed part of a long text (0002-audience.sql). */
const HEAD_LENGTH = 100

function textColumn(sql: string, guard?: string): Column {
  return {
    sql,
    folded: `lower(${sql}) collate "C"`,
    kind: 'text',
    ...(guard === undefined ? {} : { guard }),
  }
}

export const CONTACT_COLUMNS = {
  // Stored in lower case.
  email: { sql: 'c.email', folded: 'c.email', kind: 'email' },
  first_name: textColumn('c.first_name', 'c.first_name is not null'),
  last_name: textColumn('c.last_name', 'c.last_name is not null'),
  user_id: textColumn('c.user_id', 'c.user_id is not null'),
  time_zone: textColumn('c.time_zone', 'c.time_zone is not null'),
  unsubscribed: { sql: 'c.unsubscribed', folded: '', kind: 'boolean' },
  created_at: { sql: 'c.created_at', folded: '', kind: 'date', isCreation: true },
} as const satisfies Record<string, Column>

export type ValueColumnType = 'string' | 'number' | 'date'

export const VALUE_COLUMNS: Record<ValueColumnType, Column> = {
  string: {
    ...textColumn('v.text_value'),
    head: `lower(left(v.text_value, ${HEAD_LENGTH})) collate "C"`,
  },
  number: { sql: 'v.number_value', folded: '', kind: 'number' },
  date: { sql: 'v.date_value', folded: '', kind: 'date' },
}

/** Returns the SQL of a test of a column. It is null for a missing value. */
export function testSql(
  column: Column,
  test: ValueTest,
  value: SegmentCondition['value'],
  place: Place,
): string {
  const guard = column.guard === undefined ? '' : `${column.guard} and `
  switch (column.kind) {
    case 'boolean':
      return `${column.sql} = ${value === true}`
    case 'number':
      return numberSql(column, test, value, place)
    case 'date':
      return test === 'set' ? `${column.sql} is not null` : dateSql(column, test, value as string, place)
    default:
      return `(${guard}${textSql(column, test, value as string, place)})`
  }
}

const COMPARISONS: Partial<Record<ValueTest, string>> = {
  equal: '=',
  less: '<',
  at_most: '<=',
  greater: '>',
  at_least: '>=',
}

function numberSql(column: Column, test: ValueTest, value: unknown, place: Place): string {
  if (test === 'set') return `${column.sql} is not null`
  return `${column.sql} ${COMPARISONS[test]} ${place(value)}::numeric`
}

function textSql(column: Column, test: ValueTest, value: string, place: Place): string {
  const { folded, head } = column
  const needle = (text: string) => {
    if (column.kind !== 'email') return `lower(${place(text)}::text)`
    return `${place(test === 'starting' || test === 'containing' ? foldEmail(text) : suppressionKey(text))}::text`
  }
  switch (test) {
    case 'equal': {
      const whole = `${folded} = ${needle(value)}`
      return head === undefined
        ? whole
        : `${head} = lower(left(${place(value)}::text, ${HEAD_LENGTH})) and ${whole}`
    }
    case 'starting': {
      const whole = `${folded} like ${needle(`${escapeLike(value)}%`)}`
      const beginning = escapeLike([...value].slice(0, HEAD_LENGTH).join(''))
      return head === undefined ? whole : `${head} like lower(${place(`${beginning}%`)}::text) and ${whole}`
    }
    case 'ending': {
      const end = needle(value)
      return `right(${folded}, length(${end})) = ${end}`
    }
    case 'containing':
      return `${folded} like ${needle(`%${escapeLike(value)}%`)}`
    default:
      return `${column.sql} <> ''`
  }
}

function foldEmail(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

const DAY_MS = 24 * 3_600_000

/** Returns the span of a date: all 24 hours of a day in UTC, the millisecond of an instant, or from one instant to another. */
function spanOf(value: string): { start: Date; end: Date } {
  const [first, last] = value.split('/')
  if (first !== undefined && last !== undefined) return { start: new Date(first), end: spanOf(last).end }
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value)
  const start = new Date(isDay ? `${value}T00:00:00.000Z` : value)
  return { start, end: new Date(start.getTime() + (isDay ? DAY_MS : 1)) }
}

function dateSql(column: Column, test: ValueTest, value: string, place: Place): string {
  const { start, end } = spanOf(value)
  const from = (bound: Date) => boundSql(column, '>=', bound, place)
  const to = (bound: Date) => boundSql(column, '<', bound, place)
  switch (test) {
    case 'before':
      return to(start)
    case 'until':
      return to(end)
    case 'since':
      return from(start)
    case 'after':
      return from(end)
    default:
      return `${from(start)} and ${to(end)}`
  }
}

/** An id contains the creation time, up to the difference between clocks, which is less than a day. */
function boundSql(column: Column, sign: '<' | '>=', bound: Date, place: Place): string {
  const exact = `${column.sql} ${sign} ${place(bound)}::timestamptz`
  if (column.isCreation !== true) return exact
  const slackMs = sign === '<' ? DAY_MS : -DAY_MS
  const id = firstIdAt(new Date(Math.max(0, bound.getTime() + slackMs)))
  return `c.id ${sign} ${place(id)}::uuid and ${exact}`
}
