import type pg from 'pg'

/** The state of the database at one moment. Sizes in bytes. */
export interface DatabaseSample {
  deadRows: number
  tableBytes: number
  indexBytes: number
  walBytes: number
}

export async function readDatabase(client: pg.Client): Promise<DatabaseSample> {
  const { rows } = await client.query<DatabaseSample>(
    `select sum(s.n_dead_tup)::float8 as "deadRows",
       sum(pg_table_size(s.relid))::float8 as "tableBytes",
       sum(pg_indexes_size(s.relid))::float8 as "indexBytes",
       (pg_current_wal_insert_lsn() - '0/0')::float8 as "walBytes"
     from pg_stat_user_tables s`,
  )
  return rows[0] as DatabaseSample
}
