import type { Queryable } from './db-types.ts'

/** A stretch of a list, newest first. `after` and `before` are ids: the bound itself is never part of the stretch. */
export interface PageRange {
  size: number
  offset: number
  after: string | null
  before: string | null
}

export interface Rows<Row> {
  rows: Row[]
  /** More rows beyond this stretch, in the direction of reading. */
  hasMore: boolean
  /**
   * The last row that was looked at, where looking through rows that do not fit came to its limit before the stretch
   * was full: reading goes on behind it.
   */
  stoppedAt?: string | null
}

/** Counting stops here: a filter that fits more says so many. */
export const FILTERED_TOTAL_MAX = 10_000

/**
 * Reads one stretch of a list that is ordered by id, newest first.
 * @param select everything up to and with the `where` clause's own conditions; literal SQL, never from outside
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
  // Towards newer rows the nearest come first, so they are read in the other order and turned round.
  const isBackwards = before !== null
  const bound = before ?? after
  const place = (index: number) => `$${values.length + index}`
  // Only a bound that is there is part of the text: a plan for "null or less than" would walk from the newest row on.
  const sql = `${select}
     ${bound === null ? '' : `and ${id} ${isBackwards ? '>' : '<'} ${place(3)}`}
     order by ${id} ${isBackwards ? 'asc' : 'desc'}
     limit ${place(1)}
     offset ${place(2)}`
  const rows = await db.query<Row>(sql, [...values, size + 1, offset, ...(bound === null ? [] : [bound])])
  return cutToSize(rows, range)
}

/** Makes a stretch, newest first, of rows in the order of reading, one more of them than it has room for if there is. */
export function cutToSize<Row>(rows: readonly Row[], { size, before }: PageRange): Rows<Row> {
  const shown = rows.slice(0, size)
  return { rows: before === null ? shown : shown.reverse(), hasMore: rows.length > size }
}
