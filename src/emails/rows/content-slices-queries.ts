import { joinInTurns } from '../../lib/octets.ts'

/** Larger contents are returned in several rows. */
const SLICE_BYTES = 2 * 1024 * 1024

/**
 * Returns a query that selects a content in slices, one per row. PostgreSQL sends bytes as text of twice their
 * length: 37 MB as one value takes 150 MB, and decoding it blocks the event loop. One statement reads all
 * slices in one snapshot.
 * @param from the table and its joins
 */
export function inSlices(columns: readonly string[], column: string, from: string): string {
  const once = columns.map((name) => `case when slice = 0 then ${name} end as ${name.replace(/^.*\./, '')}`)
  return `select ${[...once, ''].join(', ')}substring(${column} from slice * ${SLICE_BYTES} + 1 for ${SLICE_BYTES}) as message
     from ${from}
     cross join lateral generate_series(0, greatest(0, octet_length(${column}) - 1) / ${SLICE_BYTES}) as slice`
}

/**
 * Returns the first row with the whole content, or undefined if there are no rows. Empties the contents of the
 * rows to free their memory.
 */
export async function joinSlices<Row extends { message: Buffer }>(
  rows: readonly Row[],
): Promise<Row | undefined> {
  const [first] = rows
  if (first === undefined || rows.length === 1) return first
  return { ...first, message: await joinInTurns(rows.map(({ message }) => message)) }
}
