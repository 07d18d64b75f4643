/** Larger contents come in several rows. */
const SLICE_BYTES = 2 * 1024 * 1024

/**
 * PostgreSQL writes bytes as text of twice their length: a content of 37 MB as one value takes 150 MB and holds the event
 * loop while it is turned into bytes. As rows of one statement its slices are of one moment, and come one by one.
 * @param from the table, and what it is joined to
 */
export function inSlices(columns: readonly string[], column: string, from: string): string {
  const once = columns.map((name) => `case when slice = 0 then ${name} end as ${name.replace(/^.*\./, '')}`)
  return `select ${[...once, ''].join(', ')}substring(${column} from slice * ${SLICE_BYTES} + 1 for ${SLICE_BYTES}) as message
     from ${from}
     cross join lateral generate_series(0, greatest(0, octet_length(${column}) - 1) / ${SLICE_BYTES}) as slice`
}

/** The first row with the whole content; undefined where no row came. */
export function joinSlices<Row extends { message: Buffer }>(rows: readonly Row[]): Row | undefined {
  const [first] = rows
  if (first === undefined || rows.length === 1) return first
  return { ...first, message: Buffer.concat(rows.map(({ message }) => message)) }
}
