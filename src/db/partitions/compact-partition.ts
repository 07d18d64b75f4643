import type { Queryable } from '../db-types.ts'
import { SQLSTATE, sqlState } from '../sqlstate.ts'
import { isBusy, isInLongUse } from './drop-partitions.ts'
import { type Partition, rangeOf, storageOf } from './partitions.ts'

const LOCK_MS = 200
/** The copy runs under an exclusive lock, so it is canceled after this time. */
const STATEMENT_MS = 1000
const ROWS_MAX = 2000
const LEFT_BYTES_MAX = 16 * 1024 * 1024
/** Smaller tables are not worth the lock. */
const TABLE_BYTES_MIN = 32 * 1024 * 1024
const SHARE_MAX = 0.25

/**
 * Frees the disk space of a partition in which only a few rows remain: they are copied to a new table that replaces
 * it. The table is locked only while these rows are copied, a second at most.
 */
export async function compactPartition(
  client: Queryable,
  partition: Partition,
): Promise<'compacted' | 'unneeded' | 'busy'> {
  const { table, name } = partition
  if (!(await isWorthIt(client, name))) return 'unneeded'
  if (await isInLongUse(client, [table, name])) return 'busy'
  const copy = `fresh_${name}`
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${LOCK_MS}`)
    await client.query(`set local statement_timeout = ${STATEMENT_MS}`)
    // The few rows are found by index, so that the mostly empty pages of the table are not read.
    await client.query('set local enable_seqscan = off')
    await client.query(`create table ${copy} (like ${name} including all) with (${storageOf(table)})`)
    await client.query(`lock table only ${table} in access exclusive mode`)
    await client.query(`lock table ${name} in access exclusive mode`)
    await client.query(`insert into ${copy} select * from ${name}`)
    await client.query(`alter table ${table} detach partition ${name}`)
    await client.query(`drop table ${name}`)
    await client.query(`alter table ${copy} rename to ${name}`)
    await client.query(`alter table ${table} attach partition ${name} for values ${rangeOf(partition)}`)
    await client.query('commit')
    return 'compacted'
  } catch (error) {
    await client.query('rollback')
    if (isBusy(error)) return 'busy'
    // The statement took too long, or another scheduler was faster.
    const code = sqlState(error)
    if (code === SQLSTATE.queryCanceled || code === SQLSTATE.undefinedTable) return 'busy'
    throw error
  }
}

async function isWorthIt(client: Queryable, name: string): Promise<boolean> {
  // Apart from the rows, because Citus would look for the name on the node that has them. There, the size is always 0.
  const [size] = await client.query<{ tableBytes: number }>(
    'select pg_total_relation_size($1::regclass) as table_bytes',
    [name],
  )
  if (size === undefined || size.tableBytes < TABLE_BYTES_MIN) return false
  const [left] = await client.query<{ rowCount: number; bytes: number }>(
    `select count(*)::int4 as row_count, coalesce(sum(r.bytes), 0)::int8 as bytes
     from (select pg_column_size(t.*) as bytes from ${name} t limit ${ROWS_MAX + 1}) r`,
  )
  if (left === undefined || left.rowCount > ROWS_MAX) return false
  return left.bytes <= Math.min(LEFT_BYTES_MAX, size.tableBytes * SHARE_MAX)
}

/** Lets new rows use the space of deleted ones, and returns what is free at the end to the disk. Skips a week that is in use. */
export async function vacuumPartition(client: Queryable, { name }: Pick<Partition, 'name'>): Promise<void> {
  // As slowly as autovacuum. The first vacuum of a week of contents writes most of its pages.
  await client.query('set vacuum_cost_delay = 2')
  await client.query(`vacuum (skip_locked) ${name}`)
}
