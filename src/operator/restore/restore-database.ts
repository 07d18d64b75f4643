import type pg from 'pg'
import type { BackupHeader, TableProgress } from '../../db/backup/backup-header.ts'
import type { Frame } from '../../db/backup/frames.ts'
import { copyIn, readTables } from '../../db/backup/load-backup.ts'
import { EMAILS_DROPPED } from '../../db/counters.ts'
import { openDb } from '../../db/db.ts'
import type { Db } from '../../db/db-types.ts'
import { LOCK_KEY, LOCKS } from '../../db/locks.ts'
import { applyMigrations, createSchema, listMigrations, UNFINISHED } from '../../db/migrations/migrate.ts'
import { connectForLong, queryOn, tryLock } from '../../db/own-connection.ts'
import { makePartition, parsePartition } from '../../db/partitions/partitions.ts'
import { SQLSTATE, sqlState } from '../../db/sqlstate.ts'
import { CannotStart } from '../../lib/cannot-start.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { holdRestored } from '../../queue/restored-queries.ts'

const NAME = 'sendwright restore'
const TIMEOUT_MS = 30_000
/**
 * Reserves the event numbers that the old installation may have issued after the backup. New events start beyond
 * them, so that a client with an old cursor misses none.
 */
const FEED_GAP = 1_000_000_000

export interface Restored {
  rows: number
  /** Recipients held until the operator releases or fails them (queue/restored-queries.ts). */
  held: number
  /** Migrations applied in addition to those in the backup. */
  migrations: string[]
}

/** The connection broke at the last commit, and the database could not be asked afterwards. */
export class RestoreUnknown extends CannotStart {
  constructor(cause: unknown) {
    super(
      `It is unknown whether the restore was completed: the connection broke at its last step (${(cause as Error).message}). ` +
        'Run the restore again: if it says that the database is not empty, the restore was completed.',
      { cause },
    )
  }
}

/** Another restore is using the database, or may have used it meanwhile, with the same secret key. */
export class AnotherRestore extends CannotStart {}

/** Throws CannotStart when a newer version wrote the backup. */
export async function refuseNewer({ migrations }: BackupHeader): Promise<void> {
  const known = new Set(await listMigrations())
  const unknown = migrations.find((name) => !known.has(name))
  if (unknown === undefined) return
  throw new CannotStart(
    `The backup was made by a newer version of Sendwright (it contains the migration ${unknown}). Restore it with that version.`,
  )
}

/**
 * Restores a backup into an empty database: creates the schema of the backup, loads the rows, then migrates to this
 * version. Until the last step, a table marks the database as unfinished, so that no server starts on it. A failure
 * drops all tables. The connection that loads holds a lock, so that no other restore drops them meanwhile. Throws
 * BadBackup, CannotStart, AnotherRestore and RestoreUnknown.
 */
export async function restoreDatabase(
  url: string,
  header: BackupHeader,
  frames: AsyncGenerator<Frame>,
  clock: Clock,
  onTable: (progress: TableProgress) => void,
): Promise<Restored> {
  const db = openDb(url, { connectionsMax: 1, timeoutMs: TIMEOUT_MS, name: NAME })
  const client = await connectForLong(url, NAME)
  try {
    await begin(client)
    return await loadOrEmpty(url, client, () => load(db, client, header, frames, clock, onTable))
  } finally {
    await client.end()
    await db.close()
  }
}

const BROKEN_OFF =
  'The restore failed, and its tables were not dropped: another restore is using the database, or it cannot be reached'

/** Loads and commits. After a failure, drops all tables, unless the commit took effect and only its answer was lost. */
async function loadOrEmpty(
  url: string,
  client: pg.Client,
  loadRows: () => Promise<Restored>,
): Promise<Restored> {
  let loaded: Restored | null = null
  try {
    loaded = await loadRows()
    await client.query('commit')
    return loaded
  } catch (error) {
    // Releases the lock, which `empty` takes before it drops anything.
    await client.end()
    const outcome = await empty(url)
    if (outcome === 'emptied') throw error
    if (loaded === null)
      throw new AnotherRestore(`${BROKEN_OFF} (${(error as Error).message}).`, { cause: error })
    if (outcome === 'finished') return loaded
    throw new RestoreUnknown(error)
  }
}

async function begin(client: pg.Client): Promise<void> {
  if ((await tryLock(queryOn(client, 0), 'restore')) === null) {
    throw new AnotherRestore('Another restore into this database is in progress. Wait until it has ended.')
  }
  await createSchema(client)
  const isUnfinished = await findUnfinished(client)
  const tables = await listTables(client)
  if (isUnfinished) await dropAll(client, tables)
  else if (tables.length > 0) {
    throw new CannotStart(
      `The database is not empty (it contains the table ${tables[0]}). Restore the backup into an empty database.`,
    )
  }
  await client.query(`create table ${UNFINISHED} (since timestamptz primary key)`)
}

/** Loads the rows, and opens the last transaction, which the caller commits. */
async function load(
  db: Db,
  client: pg.Client,
  header: BackupHeader,
  frames: AsyncGenerator<Frame>,
  clock: Clock,
  onTable: (progress: TableProgress) => void,
): Promise<Restored> {
  await applyMigrations(db, header.migrations, clock.now())
  for (const name of header.partitions) {
    const partition = parsePartition(name)
    if (partition !== null) await makePartition(client, partition)
  }
  const rows = await readTables(frames, (table, data) => copyIn(client, table, data), onTable)
  const migrations = await applyMigrations(db, await listMigrations(), clock.now())
  // Before the commit: after it, servers may start, and a failure must not remove the tables.
  await client.query('analyze')
  // Loading may have taken hours, in which the old installation may have sent what came due.
  const now = clock.now()
  await client.query('begin')
  await endAccess(client, now)
  const held = await settleRestored(client, now)
  await client.query(`drop table ${UNFINISHED}`)
  return { rows, held, migrations }
}

/** A week that was being dropped is not in the backup, and may not have been counted as dropped. */
const COUNT_DROPPED = `insert into counter (team_id, name, value)
  select u.team_id, $1, u.emails - coalesce(e.count, 0)
  from (select team_id, sum(emails) as emails from usage group by team_id) u
  left join (select team_id, count(*) as count from email group by team_id) e on e.team_id = u.team_id
  where u.emails > coalesce(e.count, 0)
  on conflict (team_id, name) do update
  set value = excluded.value`

/** Releases the leases of the old installation and holds back everything that may already have been sent. */
async function settleRestored(client: pg.Client, now: Date): Promise<number> {
  await client.query('update webhook set leased_by = null, leased_until = null where leased_by is not null')
  const restored = 'A backup was restored before it was sent.'
  await client.query(
    "update alert_message set status = 'failed', due_at = null, error = $1 where due_at is not null",
    [restored],
  )
  await client.query('update tls_report set due_at = null where due_at is not null')
  // Part of them may have been sent since the backup was made. A person decides whether to go on.
  await client.query(
    `update campaign
     set status = 'paused', paused_reason = 'restored', leased_by = null, leased_until = null
     where status = 'sending' or (status = 'scheduled' and scheduled_at <= $1)`,
    [now],
  )
  await client.query(
    `update automation
     set status = 'paused', paused_reason = 'restored', active_since = null
     where status = 'active'`,
  )
  await client.query('update automation_run set leased_until = null where leased_until is not null')
  await client.query('update event_feed set position = position + $1', [FEED_GAP])
  await client.query(COUNT_DROPPED, [EMAILS_DROPPED])
  return holdRestored(queryOn(client, 0), now)
}

/**
 * Ends all sessions, logins in progress and account links, and expires invitations: sessions that ended after the
 * backup would be valid again, and used links would work twice. Users must log in again, and teams must
 * send their invitations again.
 */
async function endAccess(client: pg.Client, now: Date): Promise<void> {
  for (const table of ['session', 'login_challenge', 'device_login', 'account_link'])
    await client.query(`delete from ${table}`)
  await client.query('update invitation set expires_at = $1 where expires_at > $1', [now])
}

async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name
     from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname`,
  )
  return rows.map((row) => row.name)
}

/**
 * Drops the marker table last, so that a process killed halfway leaves a database that is still marked as unfinished.
 */
async function dropAll(client: pg.Client, tables: readonly string[]): Promise<void> {
  const ours = tables.filter((table) => table !== UNFINISHED)
  for (const table of [...ours, UNFINISHED]) await client.query(`drop table if exists "${table}" cascade`)
}

/**
 * Returns whether the database has the marker of an unfinished restore. One of an earlier version has no advisory lock, and
 * may still be committing: it dropped the marker, so this waits for the lock on it.
 */
async function findUnfinished(client: pg.Client): Promise<boolean> {
  await client.query('begin')
  try {
    await client.query(`lock table ${UNFINISHED} in access exclusive mode`)
    return true
  } catch (error) {
    if (sqlState(error) === SQLSTATE.undefinedTable) return false
    throw error
  } finally {
    await client.query('rollback')
  }
}

/**
 * Drops all tables of an unfinished restore on a separate connection, because the failed one may be unusable. Waits for
 * its lock: if its connection broke, it may still be committing. Drops none if the restore is finished, because servers
 * may have started, and accepted mail, nor if another restore has taken the lock. Throws nothing, so that the caller
 * reports the first error.
 */
async function empty(url: string): Promise<'emptied' | 'finished' | 'unknown'> {
  try {
    const client = await connectForLong(url, NAME)
    try {
      await client.query(`set lock_timeout = ${TIMEOUT_MS}`)
      await client.query(`select pg_advisory_lock(${LOCK_KEY})`, [LOCKS.restore])
      if (!(await findUnfinished(client))) return 'finished'
      await dropAll(client, await listTables(client))
      return 'emptied'
    } finally {
      await client.end()
    }
  } catch {
    // If the marker table remains, the next restore cleans up.
    return 'unknown'
  }
}
