import type pg from 'pg'
import { firstIdAt } from '../../lib/ids.ts'
import type { Db, Queryable } from '../db-types.ts'
import { queryOn } from '../own-connection.ts'

const WEEK_MS = 7 * 24 * 3_600_000
/**
 * Weeks created in advance, so that partitions do not run out while the scheduler is down for a month. Not more, because
 * each connection loads every partition when it first plans a statement.
 */
const WEEKS_AHEAD = 4
const LOCK_TIMEOUT_MS = 500
const TIMEOUT_MS = 30_000
/** 2026-01-05, a Monday. Weeks are counted from here, so their names never change. */
const FIRST_MONDAY_MS = Date.UTC(2026, 0, 5)

export type PartitionedName =
  | 'email'
  | 'email_content'
  | 'packed_content'
  | 'email_tag'
  | 'delivery'
  | 'attempt'
  | 'event'
  | 'webhook_delivery'
  | 'request_log'

interface PartitionedTable {
  name: PartitionedName
  storage: string
}

/**
 * For tables whose rows are updated once, soon after they are inserted, or never: a vacuum for new rows alone would read, write and
 * log their pages again. They are still vacuumed when a fifth of their rows is dead, and dropped with their week.
 */
const NO_VACUUM_OF_NEW_ROWS = 'autovacuum_vacuum_insert_threshold = -1'
/** For large values. Citus may not pass the option on to its nodes. */
const NO_VACUUM_OF_NEW_VALUES = `toast.${NO_VACUUM_OF_NEW_ROWS}`

/** Fill factors leave room for the single update of a row, so that its new version stays on the same page. */
const TABLES: readonly PartitionedTable[] = [
  { name: 'email', storage: `fillfactor = 85, ${NO_VACUUM_OF_NEW_ROWS}` },
  {
    name: 'email_content',
    // Bodies of up to 8 KB stay in the row, which takes one write instead of five.
    storage: `toast_tuple_target = 8160, ${NO_VACUUM_OF_NEW_ROWS}, ${NO_VACUUM_OF_NEW_VALUES}`,
  },
  { name: 'packed_content', storage: `${NO_VACUUM_OF_NEW_ROWS}, ${NO_VACUUM_OF_NEW_VALUES}` },
  { name: 'email_tag', storage: 'fillfactor = 100' },
  { name: 'delivery', storage: NO_VACUUM_OF_NEW_ROWS },
  { name: 'attempt', storage: NO_VACUUM_OF_NEW_ROWS },
  { name: 'event', storage: NO_VACUUM_OF_NEW_ROWS },
  { name: 'webhook_delivery', storage: 'fillfactor = 90' },
  { name: 'request_log', storage: NO_VACUUM_OF_NEW_ROWS },
]

function mondayOf(at: Date): number {
  return FIRST_MONDAY_MS + Math.floor((at.getTime() - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS
}

/** One week of one table. */
export interface Partition {
  table: PartitionedName
  name: string
  /** Start of the ids, inclusive. */
  from: Date
  /** End of the ids, exclusive. */
  to: Date
}

/** Returns the `for values` range of a partition. */
export const rangeOf = ({ from, to }: Partition) => `from ('${firstIdAt(from)}') to ('${firstIdAt(to)}')`

export function storageOf(table: PartitionedName): string {
  return TABLES.find(({ name }) => name === table)?.storage ?? ''
}

/**
 * Creates the missing partitions of last week, this week and the next four. Idempotent. The schema of an earlier version,
 * which a restore creates first, lacks some of the tables.
 */
export async function ensurePartitions(client: pg.Client, now: Date): Promise<void> {
  const db = queryOn(client, TIMEOUT_MS)
  const names = new Set((await listPartitions(db)).map(({ name }) => name))
  const tables = await listPartitionedTables(db)
  const monday = mondayOf(now)
  for (let week = -1; week <= WEEKS_AHEAD; week++) {
    for (const partition of partitionsAt(new Date(monday + week * WEEK_MS))) {
      if (tables.has(partition.table) && !names.has(partition.name)) await makePartition(client, partition)
    }
  }
}

async function listPartitionedTables(db: Queryable): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'p' and pg_table_is_visible(oid)`,
  )
  return new Set(rows.map(({ name }) => name))
}

/** Returns the partitions of all tables for the week of `at`, whether they exist or not. */
export function partitionsAt(at: Date): Partition[] {
  const from = new Date(mondayOf(at))
  return TABLES.map(({ name }) => partitionFrom(name, from))
}

/**
 * Creates a partition unless it exists. Creates its primary key last, because the planner prefers the newest of indexes
 * that look equally cheap, as all do on an empty table. Otherwise a generic plan would look up each email by an index
 * with another column between team and id, and read all entries of the team.
 */
export async function makePartition(client: pg.Client, partition: Partition): Promise<void> {
  const { table, name } = partition
  const db = queryOn(client, TIMEOUT_MS)
  try {
    await db.query('begin')
    // Of two processes, the second waits here and then finds the partition.
    await db.query(`lock table only ${table} in share update exclusive mode`)
    if (!(await exists(db, name))) {
      await db.query(
        `create table ${name} (like ${table} including all excluding indexes) with (${storageOf(table)})`,
      )
      for (const statement of await listIndexStatements(db, partition)) await db.query(statement)
      await db.query(`alter table ${table} attach partition ${name} for values ${rangeOf(partition)}`)
    }
    await db.query('commit')
  } catch (error) {
    await db.query('rollback')
    throw error
  }
}

async function exists(db: Queryable, name: string): Promise<boolean> {
  const rows = await db.query<{ found: boolean }>('select to_regclass($1) is not null as found', [name])
  return rows[0]?.found === true
}

/** Returns the statements that create the indexes of the parent table on a partition, the primary key last. */
async function listIndexStatements(db: Queryable, { table, name }: Partition): Promise<string[]> {
  const rows = await db.query<{ definition: string; key: string | null }>(
    `select pg_get_indexdef(i.indexrelid) as definition, pg_get_constraintdef(c.oid) as key
     from pg_index i
     left join pg_constraint c on c.conindid = i.indexrelid and c.conrelid = i.indrelid and c.contype = 'p'
     where i.indrelid = $1::regclass
     order by i.indisprimary, i.indexrelid`,
    [table],
  )
  return rows.map(({ definition, key }) =>
    key === null
      ? `create index on ${name} ${definition.slice(definition.indexOf('USING '))}`
      : `alter table ${name} add ${key}`,
  )
}

function partitionFrom(table: PartitionedName, from: Date): Partition {
  const week = from.toISOString().slice(0, 10).replaceAll('-', '')
  return { table, name: `${table}_${week}`, from, to: new Date(from.getTime() + WEEK_MS) }
}

/** Lists the existing partitions, oldest week first. */
export async function listPartitions(db: Queryable): Promise<Partition[]> {
  const rows = await db.query<{ parent: string; name: string }>(
    `select p.relname as parent, c.relname as name
     from pg_inherits i
     join pg_class c on c.oid = i.inhrelid
     join pg_class p on p.oid = i.inhparent
     where c.relkind = 'r' and pg_table_is_visible(c.oid)
     order by right(c.relname, 8), c.relname`,
  )
  return rows.flatMap(({ parent, name }) => {
    const partition = parsePartition(name)
    return partition?.table === parent ? [partition] : []
  })
}

/** Parses the name of a partition. Returns null for any other name. */
export function parsePartition(name: string): Partition | null {
  const [, table, ...week] = /^([a-z_]+)_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? []
  const tableName = TABLES.find((one) => one.name === table)?.name
  const from = new Date(`${week.join('-')}T00:00:00Z`)
  if (tableName === undefined || Number.isNaN(from.getTime())) return null
  const partition = partitionFrom(tableName, from)
  return partition.name === name ? partition : null
}

/**
 * Runs ensurePartitions for the scheduler, on a separate connection. Mail and long reads (pg_dump) continue under the
 * lock on the parent, but other changes of the schema wait. The lock times out soon, because the partition is needed
 * only weeks later.
 */
export async function preparePartitions(db: Db, now: Date): Promise<void> {
  const client = await db.connect()
  try {
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await ensurePartitions(client, now)
  } finally {
    await client.end()
  }
}
