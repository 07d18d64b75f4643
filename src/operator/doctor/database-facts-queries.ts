import type { Queryable } from '../../db/db-types.ts'

export interface DatabaseFacts {
  versionNumber: string
  version: string
  fsync: string
  synchronousCommit: string
  fullPageWrites: string
  nowMs: string
}

/** Reads the version, the settings that the durability of accepted email depends on, and the clock. */
export async function readDatabaseFacts(db: Queryable): Promise<DatabaseFacts> {
  const [facts] = await db.query<DatabaseFacts>(
    `select current_setting('server_version_num') as version_number, current_setting('server_version') as version,
       current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
       current_setting('full_page_writes') as full_page_writes,
       (extract(epoch from clock_timestamp()) * 1000)::text as now_ms`,
  )
  if (facts === undefined) throw new Error('the database did not describe itself')
  return facts
}
