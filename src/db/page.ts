import type { Queryable } from './db-types.ts'

/** A range of a list, newest first. `after` and `before` are ids, which are not part of the range. */
export interface PageRange {
  size: number
  offset: number
  after: string | null
  before: string | null
}

export interface Rows<Row> {
  rows: Row[]
  /** Whether more rows follow this range in the direction of reading. */
  hasMore: boolean
  /**
   * The last row scanned, when a scan over rows that do not match reached its limit before the range was full.
   * Reading continues after it.
   */
  stoppedAt?: string | null
}

/** Counting stops here. A filter that matches more rows reports this number. */
export const FILTERED_TOTAL_MAX = 10_000

/**
 * Reads one range of a list that is ordered by id, newest first.
 * @param select all clauses up to and including the conditions of `where`; literal SQL, never from outside
 * @param values the parameters of `select`
 * @param id the column that the list is ordered by
 */
export async function queryRange<Row>(
  db: Queryable,
  select: string,
  values: readonly unknown[],
  range: PageRange,
  id = 'id',
): Promise<Rows<Row>> {
  const { size, offset, after, before } = range
  // When reading towards newer rows, the nearest come first, so they are read in ascending order and reversed.
  const isBackwards = before !== null
  const boundary = before ?? after
  const place = (index: number) => `$${values.length + index}`
  // The bound is part of the text only when it is given: a plan for "null or less than" would scan from the newest
  // row.
  const sql = `${select}
     ${boundary === null ? '' : `and ${id} ${isBackwards ? '>' : '<'} ${place(3)}`}
     order by ${id} ${isBackwards ? 'asc' : 'desc'}
     limit ${place(1)}
     offset ${place(2)}`
  const rows = await db.query<Row>(sql, [
    ...values,
    size + 1,
    offset,
    ...(boundary === null ? [] : [boundary]),
  ])
  return cutToSize(rows, range)
}

/** Returns the range, newest first, from rows in the order of reading. `rows` may contain one row more than fits. */
export function cutToSize<Row>(rows: readonly Row[], { size, before }: PageRange): Rows<Row> {
  const page = rows.slice(0, size)
  return { rows: before === null ? page : page.reverse(), hasMore: rows.length > size }
}

/** Rows per page. Each page is held in memory and read with one statement, which takes some milliseconds. */
const PAGE_ROWS = 500

/** Returns the range of the page that follows an id. Null: the first page. */
export function rangeAfter(after: string | null): PageRange {
  return { size: PAGE_ROWS, offset: 0, after, before: null }
}

/**
 * Yields a whole list page by page, as fast as the caller consumes it.
 * @param read reads the page that follows a key; null: the first one
 * @param keyOf returns the key of a row. Default: its id
 */
export async function* readPages<Row extends { id: string }>(
  read: (after: string | null) => Promise<Rows<Row>>,
  keyOf: (row: Row) => string = ({ id }) => id,
): AsyncGenerator<Row[]> {
  let after: string | null = null
  for (;;) {
    const { rows, hasMore, stoppedAt }: Rows<Row> = await read(after)
    if (rows.length > 0) yield rows
    // A page may be short or even empty without being the last: reading continues where it stopped.
    const last = rows.at(-1)
    after = stoppedAt ?? (last === undefined ? null : keyOf(last))
    if (!hasMore || after === null) return
  }
}
