import type { Queryable } from './db.ts'

/** A stretch of a list, newest first. `after` and `before` are ids: the bound itself is never part of the stretch. */
export interface Stretch {
  size: number
  offset: number
  after: string | null
  before: string | null
}

export interface Rows<Row> {
  rows: Row[]
  /** More rows beyond this stretch, in the direction of reading. */
  hasMore: boolean
}

/**
 * Reads one stretch of a list that is ordered by id, newest first.
 * @param select everything up to and with the `where` clause's own conditions; literal SQL, never from outside
 * @param values the parameters of `select`
 * @param id the column that the list is ordered by
 */
export async function queryStretch<Row>(
  db: Queryable,
  select: string,
  values: readonly unknown[],
  stretch: Stretch,
  id = 'id',
): Promise<Rows<Row>> {
  const { size, offset, after, before } = stretch
  const place = (index: number) => `$${values.length + index}`
  // Towards newer rows the nearest come first, so they are read in the other order and turned round.
  const isBackwards = before !== null
  const sql = `${select}
     and (${place(1)}::uuid is null or ${id} < ${place(1)})
     and (${place(2)}::uuid is null or ${id} > ${place(2)})
     order by ${id} ${isBackwards ? 'asc' : 'desc'}
     limit ${place(3)}
     offset ${place(4)}`
  const rows = await db.query<Row>(sql, [...values, after, before, size + 1, offset])
  const hasMore = rows.length > size
  if (hasMore) rows.pop()
  if (isBackwards) rows.reverse()
  return { rows, hasMore }
}
