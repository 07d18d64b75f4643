import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { CannotStart } from '../../lib/cannot-start.ts'
import type { BackupHeader, BackupTable, TableProgress } from './backup-header.ts'
import { BadBackup, FORMAT, type Frame, parseFrame } from './frames.ts'

/** Reads the header, which is the first frame. */
export async function readBackupHeader(frames: AsyncGenerator<Frame>): Promise<BackupHeader> {
  const { value, done } = await frames.next()
  if (done === true || value.type !== 'H') throw new BadBackup('The file is not a Sendwright backup.')
  const header = parseFrame<BackupHeader>(value)
  if (header.format === FORMAT) return header
  throw new BadBackup(`The backup has the format ${header.format}, which this version does not support.`)
}

/**
 * Reads the tables after the header, to the end of the file with its checksum. Returns the number of rows.
 * @param load loads the data of one table and returns the number of rows; null when unknown
 */
export async function readTables(
  frames: AsyncGenerator<Frame>,
  load: (table: BackupTable, data: AsyncGenerator<Buffer>) => Promise<number | null>,
  onTable: (progress: TableProgress) => void,
): Promise<number> {
  let total = 0
  for (;;) {
    const next = await frames.next()
    if (next.done === true) return total
    if (next.value.type !== 'T') throw new BadBackup('The file is damaged: a table is out of place.')
    const table = parseFrame<BackupTable>(next.value)
    const sum = { bytes: 0, rows: -1 }
    const rowCount = await load(table, dataOf(frames, sum))
    if (sum.rows < 0) throw new BadBackup(`The file is damaged: the table ${table.table} has no end.`)
    if (rowCount !== null && rowCount !== sum.rows) {
      throw new BadBackup(`The table ${table.table} had ${sum.rows} rows, but ${rowCount} were loaded.`)
    }
    total += sum.rows
    onTable({ table: table.table, rows: sum.rows, bytes: sum.bytes })
  }
}

/** Yields the data of one table, up to its end. */
async function* dataOf(
  frames: AsyncGenerator<Frame>,
  sum: { bytes: number; rows: number },
): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await frames.next()
    if (done === true) return
    if (value.type === 'E') {
      sum.rows = parseFrame<{ rows: number }>(value).rows
      return
    }
    if (value.type !== 'D') throw new BadBackup('The file is damaged: data is out of place.')
    sum.bytes += value.payload.length
    yield value.payload
  }
}

/** Copies data into the table of the same name, which must have the same columns. Returns the number of rows. */
export async function copyIn(
  client: pg.Client,
  { table, columns }: BackupTable,
  data: AsyncGenerator<Buffer>,
): Promise<number> {
  await requireColumns(client, table, columns)
  const names = columns.map((column) => `"${column}"`).join(', ')
  const copy = client.query(copyFrom(`copy "${table}" (${names}) from stdin (format binary)`))
  await pipeline(Readable.from(data, { objectMode: false }), copy)
  return copy.rowCount
}

/**
 * Throws CannotStart when the table does not have exactly these columns. Names come from the file, so only those of
 * the schema may be used in a statement.
 */
async function requireColumns(client: pg.Client, table: string, columns: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select a.attname as name
     from pg_attribute a
     join pg_class c on c.oid = a.attrelid
     where c.relnamespace = current_schema()::regnamespace and c.relname = $1
       and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
    [table],
  )
  const present = new Set(rows.map((row) => row.name))
  if (present.size === columns.length && columns.every((column) => present.has(column))) return
  throw new CannotStart(
    `The table ${table} of this version differs from the backup. Restore it with the version that wrote it.`,
  )
}
