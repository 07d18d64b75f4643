import type { Queryable } from './db-types.ts'

/** The state of the database, as it reports it. */
export interface DatabaseMetrics {
  version: string
  sizeBytes: number
  isInRecovery: boolean
  connections: number
  connectionsMax: number
}

/** A connected standby. */
export interface Replica {
  name: string
  /** Null: this login has no permission to read it. */
  state: string | null
  /** Bytes that the standby has not yet applied. */
  lagBytes: number | null
}

const REPLICAS_MAX = 20

export async function readDatabaseMetrics(db: Queryable): Promise<DatabaseMetrics> {
  const rows = await db.query<DatabaseMetrics>(
    `select current_setting('server_version') as version, pg_database_size(current_database())::int8 as size_bytes,
       pg_is_in_recovery() as is_in_recovery, (select count(*)::int4 from pg_stat_activity) as connections,
       current_setting('max_connections')::int4 as connections_max`,
  )
  return rows[0] as DatabaseMetrics
}

/** Lists the connected standbys; empty on a standby. */
export async function listReplicas(db: Queryable): Promise<Replica[]> {
  return db.query<Replica>(
    `select coalesce(application_name, '') as name, state,
       case when not pg_is_in_recovery() then pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::int8 end as lag_bytes
     from pg_stat_replication
     where state is distinct from 'backup'
     order by pid
     limit ${REPLICAS_MAX}`,
  )
}

/** Resolves when the database responds. */
export async function pingDatabase(db: Queryable): Promise<void> {
  await db.query('select 1')
}
