import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { queryOn } from '../own-connection.ts'
import { listPartitions } from '../partitions/partitions.ts'
import type { BackupHeader, BackupTable, TableProgress } from './backup-header.ts'
import { FORMAT, FrameWriter } from './frames.ts'

/** Tables that are not backed up: the reports of running processes, and the migrations, which the header lists. */
const LEFT_OUT = ['migration', 'site_report', 'site_reporter', 'node', 'server_check']

/**
 * Writes all tables as of one moment, in a read-only transaction that blocks no writers. Holds only the current chunk
 * in memory.
 * @param client from connectForLong
 * @yields frames (frames.ts)
 */
export async function* writeBackup(
  client: pg.Client,
  header: Pick<BackupHeader, 'sealed_check' | 'secret_key'> & { now: Date },
  onTable: (progress: TableProgress) => void,
): AsyncGenerator<Buffer> {
  const writer = new FrameWriter()
  const tables = await beginSnapshot(client)
  yield writer.json('H', await describe(client, header))
  for (const table of tables) yield* writeTable(client, writer, table, onTable)
  await client.query('commit')
  yield writer.end()
}

/**
 * Starts the snapshot. Locks the tables before listing them again, so that none is dropped in between (LOCK takes no
 * snapshot).
 */
async function beginSnapshot(client: pg.Client): Promise<BackupTable[]> {
  const names = (await listTables(client)).map(({ table }) => table)
  await client.query('begin isolation level repeatable read, read only')
  await client.query(`lock table ${names.map((name) => `"${name}"`).join(', ')} in access share mode`)
  return listTables(client)
}

async function listTables(client: pg.Client): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(
    `select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = current_schema()::regnamespace
       and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all ($1::text[]) and c.relname !~ '^(retired|fresh)_'
     group by c.relname
     order by c.relname`,
    [LEFT_OUT],
  )
  return rows
}

async function describe(
  client: pg.Client,
  { now, ...secret }: Pick<BackupHeader, 'sealed_check' | 'secret_key'> & { now: Date },
): Promise<BackupHeader> {
  const { rows } = await client.query<{ server_version: string; migrations: string[] }>(
    `select current_setting('server_version') as server_version, array_agg(name order by name) as migrations
     from migration`,
  )
  const partitions = await listPartitions(queryOn(client, 0))
  return {
    format: FORMAT,
    created_at: now.toISOString(),
    server_version: rows[0]?.server_version ?? '',
    migrations: rows[0]?.migrations ?? [],
    partitions: partitions.map(({ name }) => name),
    ...secret,
  }
}

async function* writeTable(
  client: pg.Client,
  writer: FrameWriter,
  { table, columns }: BackupTable,
  onTable: (progress: TableProgress) => void,
): AsyncGenerator<Buffer> {
  yield writer.json('T', { table, columns })
  const names = columns.map((column) => `"${column}"`).join(', ')
  // Copy a query, because before PostgreSQL 18 COPY does not accept a partitioned table.
  const copy = client.query(copyTo(`copy (select ${names} from "${table}") to stdout (format binary)`))
  let bytes = 0
  for await (const frame of writer.data(copy)) {
    bytes += frame.length
    yield frame
  }
  // The row count arrives after the last chunk, and before the response to this statement.
  await client.query('select 1')
  const rows = copy.rowCount
  yield writer.json('E', { rows })
  onTable({ table, rows, bytes })
}
