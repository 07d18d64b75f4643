import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'

/** Counters of one table with all its partitions. Sizes in bytes. */
export interface TableCounters {
  name: string
  inserted: number
  updated: number
  /** Updates that needed no index entry. */
  hot: number
  deleted: number
  toastInserted: number
  heapBytes: number
  toastBytes: number
  indexBytes: number
}

export interface Counters {
  tables: TableCounters[]
  totals: Record<string, number>
  lsn: string
}

export interface StatementCost {
  query: string
  calls: number
  rows: number
  /** Time of execution, which includes waits for locks, for the disk and for the client. */
  ms: number
  /** Pages of tables and indexes that were looked at: high where a plan reads too much. */
  pages: number
  walBytes: number
}

/** The log records of one table, index or TOAST table. */
export interface RelationLog {
  /** The table, also for an index or a TOAST table. */
  table: string
  /** The name of the index, or `TOAST`; null for the rows of the table itself. */
  index: string | null
  records: number
  bytes: number
  /** Leaf entries inserted into an index. */
  entries: number
  images: number
}

export interface RecordKind {
  kind: string
  count: number
  bytes: number
}

/** Stands in the benchmark's own statements, which are not counted. */
const OWN = '/* bench */'

/**
 * Configures a stopped embedded PostgreSQL to count statements, and to keep the log of the whole run so that it can be
 * read afterwards.
 */
export function enableStatistics(dataDir: string): void {
  const lines = [
    `shared_preload_libraries = 'pg_stat_statements'`,
    'pg_stat_statements.max = 10000',
    `wal_keep_size = '32GB'`,
  ]
  appendFileSync(join(dataDir, 'postgres', 'postgresql.auto.conf'), `${lines.join('\n')}\n`)
}

export async function createExtensions(client: pg.Client): Promise<void> {
  await client.query('create extension if not exists pg_stat_statements')
  await client.query('create extension if not exists pg_walinspect')
}

/** Returns whether every delivery has its final state, and the metrics contain every event. */
export async function isSettled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ settled: boolean }>(
    `select ${OWN} not exists (select from delivery where ready)
       and not exists (select from delivery where due_at is not null and not ready)
       and not exists (
         select from event_feed f
         left join metric_feed m on m.team_id = f.team_id
         where coalesce(m.position, 0) < f.position
       ) as settled`,
  )
  return rows[0]?.settled === true
}

/** Returns the position of the log in bytes. */
export async function readLogBytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    `select ${OWN} (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`,
  )
  return rows[0]?.bytes ?? Number.NaN
}

export async function readCounters(client: pg.Client): Promise<Counters> {
  const tables = await client.query<TableCounters>(
    `select coalesce(pg_partition_root(s.relid), s.relid)::regclass::text as name,
       sum(s.n_tup_ins)::float8 as inserted,
       sum(s.n_tup_upd)::float8 as updated,
       sum(s.n_tup_hot_upd)::float8 as hot,
       sum(s.n_tup_del)::float8 as deleted,
       sum(coalesce(t.n_tup_ins, 0))::float8 as "toastInserted",
       sum(pg_relation_size(c.oid))::float8 as "heapBytes",
       sum(coalesce(pg_total_relation_size(t.relid), 0))::float8 as "toastBytes",
       sum(pg_indexes_size(c.oid))::float8 as "indexBytes"
     from pg_stat_user_tables s
     join pg_class c on c.oid = s.relid
     left join pg_stat_all_tables t on t.relid = c.reltoastrelid
     group by 1`,
  )
  const totals = await client.query<Record<string, number>>(
    `select d.xact_commit::float8 as commits,
       d.xact_rollback::float8 as rollbacks,
       w.wal_records::float8 as "walRecords",
       w.wal_bytes::float8 as "walBytes",
       w.wal_fpi::float8 as "walImages",
       (select sum(fsyncs)::float8 from pg_stat_io where object = 'wal') as "walSyncs",
       (select (num_timed + num_requested)::float8 from pg_stat_checkpointer) as checkpoints
     from pg_stat_wal w, pg_stat_database d
     where d.datname = current_database()`,
  )
  const lsn = await client.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn')
  return { tables: tables.rows, totals: totals.rows[0] ?? {}, lsn: lsn.rows[0]?.lsn ?? '0/0' }
}

export async function resetStatements(client: pg.Client): Promise<void> {
  await client.query(`select ${OWN} pg_stat_statements_reset()`)
}

export async function readStatements(client: pg.Client): Promise<StatementCost[]> {
  const { rows } = await client.query<StatementCost>(
    `select query,
       sum(calls)::float8 as calls,
       sum(rows)::float8 as rows,
       sum(total_exec_time)::float8 as ms,
       sum(shared_blks_hit + shared_blks_read)::float8 as pages,
       sum(wal_bytes)::float8 as "walBytes"
     from pg_stat_statements
     where query not like '%${OWN}%'
     group by query
     order by ms desc`,
  )
  return rows
}

/** Reads the log between two positions. A record belongs to the relation of its first block. */
export async function readLogByRelation(client: pg.Client, from: string, to: string): Promise<RelationLog[]> {
  const { rows } = await client.query<RelationLog>(
    `with block as (
       select pg_filenode_relation(0, relfilenode) as relation,
         count(*) filter (where block_id = 0) as records,
         sum(record_length) filter (where block_id = 0) as bytes,
         count(*) filter (
           where block_id = 0
             and resource_manager = 'Btree'
             and record_type in ('INSERT_LEAF', 'INSERT_POST', 'SPLIT_L', 'SPLIT_R')
         ) as entries,
         count(*) filter (where block_fpi_length > 0) as images
       from pg_get_wal_block_info($1::pg_lsn, $2::pg_lsn, false)
       where reldatabase = (select oid from pg_database where datname = current_database())
       group by relfilenode
     ),
     relation as (
       select b.*,
         coalesce(o.oid, i.indrelid, b.relation) as base,
         i.indexrelid as index,
         o.oid as toasted
       from block b
       left join pg_index i on i.indexrelid = b.relation
       left join pg_class o on o.reltoastrelid = coalesce(i.indrelid, b.relation)
     )
     select coalesce(pg_partition_root(base), base)::regclass::text as "table",
       case when toasted is not null then 'TOAST' else coalesce(pg_partition_root(index), index)::regclass::text end
         as index,
       sum(records)::float8 as records,
       sum(bytes)::float8 as bytes,
       sum(entries)::float8 as entries,
       sum(images)::float8 as images
     from relation
     where base is not null
     group by 1, 2
     order by bytes desc`,
    [from, to],
  )
  return rows
}

export async function readRecordKinds(client: pg.Client, from: string, to: string): Promise<RecordKind[]> {
  const { rows } = await client.query<RecordKind>(
    `select "resource_manager/record_type" as kind,
       count::float8 as count,
       combined_size::float8 as bytes
     from pg_get_wal_stats($1::pg_lsn, $2::pg_lsn, true)
     where count > 0
     order by combined_size desc`,
    [from, to],
  )
  return rows
}
