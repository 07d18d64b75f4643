import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { CannotStart } from '../../lib/cannot-start.ts'
import { PROJECT_FOLDER } from '../../lib/project-folder.ts'
import type { Db, Queryable } from '../db-types.ts'
import { LOCK_KEY, LOCKS } from '../locks.ts'
import { ensurePartitions } from '../partitions/partitions.ts'
import { SQLSTATE, sqlState } from '../sqlstate.ts'
import { splitStatements } from './split-statements.ts'

const FOLDER = join(PROJECT_FOLDER, 'src', 'db', 'migrations')
/** An index on a table of millions of rows takes minutes. Other processes that start wait for it. */
const MIGRATION_TIMEOUT_MS = 3_600_000

/**
 * Migrates the schema to the current version. Returns the names of the applied migrations, in order. Safe to call
 * from several processes at once. Each file runs once, in a separate transaction; files never change after a release.
 */
export async function migrate(db: Db, now: Date): Promise<string[]> {
  const files = await listMigrations()
  return applyMigrations(db, files, now, async (client) => {
    await refuseUnfinished(client)
    await refuseNewer(client, files)
  })
}

/** Returns the migrations that a database with data still lacks, in order. Empty for an empty database. */
export async function listPending(db: Queryable): Promise<string[]> {
  const [table] = await db.query<{ isThere: boolean }>(
    `select to_regclass('migration') is not null as is_there`,
  )
  if (table?.isThere !== true) return []
  const applied = new Set(
    (await db.query<{ name: string }>('select name from migration')).map(({ name }) => name),
  )
  return applied.size === 0 ? [] : (await listMigrations()).filter((name) => !applied.has(name))
}

/** Lists the names of this version's migrations, in order. */
export async function listMigrations(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
}

/**
 * Applies the given migrations, for example up to the state of a backup.
 * @param files in order
 * @param check runs on the database before any change
 */
export async function applyMigrations(
  db: Db,
  files: readonly string[],
  now: Date,
  check: (client: pg.Client) => Promise<void> = async () => {},
): Promise<string[]> {
  const client = await db.connect()
  const applied: string[] = []
  try {
    await client.query('set statement_timeout = 0')
    await client.query({
      text: `select pg_advisory_lock(${LOCK_KEY})`,
      values: [LOCKS.migration],
      query_timeout: MIGRATION_TIMEOUT_MS,
    } as never)
    await createSchema(client)
    await check(client)
    await client.query(
      'create table if not exists migration (name text primary key, applied_at timestamptz not null)',
    )
    const rows = await client.query<{ name: string }>('select name from migration')
    const names = new Set(rows.rows.map((row) => row.name))
    for (const name of files) {
      if (names.has(name)) continue
      await client.query('begin')
      for (const statement of splitStatements(await readFile(join(FOLDER, name), 'utf8')))
        await applyStatement(client, statement)
      await client.query('insert into migration (name, applied_at) values ($1, $2)', [name, now])
      await client.query('commit')
      applied.push(name)
    }
    // Under the same lock, so that two processes do not create the same partition.
    await ensurePartitions(client, now)
  } finally {
    await client.end()
  }
  return applied
}

/** How a column stores long values: it saves time, and nothing relies on it. Citus has no command for it. */
const STORAGE = /^alter table \w+ alter column \w+ set storage \w+$/

/** Applies a statement on its own, because Citus rejects schema changes in a text of several. */
async function applyStatement(client: pg.Client, text: string): Promise<void> {
  const isOptional = STORAGE.test(text)
  if (isOptional) await client.query('savepoint storage')
  try {
    await client.query({ text, query_timeout: MIGRATION_TIMEOUT_MS } as never)
  } catch (error) {
    if (!isOptional || sqlState(error) !== SQLSTATE.featureNotSupported) throw error
    await client.query('rollback to savepoint storage')
  }
}

/** Creates the schema of SENDWRIGHT_SCHEMA, which is then all of the search path. */
export async function createSchema(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ path: string }>(
    `select current_setting('search_path') as path where current_schema() is null`,
  )
  for (const { path } of rows) await client.query(`create schema if not exists ${path}`)
}

/**
 * Throws CannotStart unless the connection uses this schema alone (SENDWRIGHT_SCHEMA): a pooler may have dropped the
 * option. A schema with the name of the role would be found by connections of other installations, whose search path then
 * begins with it. With the default schema, the URL may set another search path.
 */
export async function requireSchema(db: Queryable, schema: string): Promise<void> {
  const [row] = await db.query<{ path: string; role: string; used: string; isElsewhere: boolean }>(
    `select current_setting('search_path') as path, session_user::text as role, current_schema()::text as used,
       to_regclass('public.migration') is null
         and to_regclass(quote_ident(session_user) || '.migration') is not null as is_elsewhere`,
  )
  if (row === undefined) return
  if (schema === 'public') {
    if (row.path.includes('"$user"') && row.used === row.role)
      throw new CannotStart(
        `Connections to the database use the schema with the name of their role (${row.role}) instead of "public". Use another role, or let the pooler pass on the startup parameter "options".`,
      )
    // Earlier versions left the search path to PostgreSQL, which begins with the schema of the role.
    if (row.path === schema && row.isElsewhere)
      throw new CannotStart(
        `The tables of an installation are in the schema "${row.role}". To use them, add ?options=-c%20search_path%3D${row.role} to DATABASE_URL. For a new installation, use another role.`,
      )
    return
  }
  if (row.path !== schema)
    throw new CannotStart(
      `Connections to the database do not use the schema of SENDWRIGHT_SCHEMA (${schema}), but "${row.path}". A pooler must pass on the startup parameter "options".`,
    )
  if (row.role === schema)
    throw new CannotStart(
      `SENDWRIGHT_SCHEMA must not be the name of the database's role (${schema}). Choose another name.`,
    )
}

/** A table that exists from the first to the last step of a restore. */
export const UNFINISHED = 'restore_unfinished'

/** Throws CannotStart when a restore is incomplete. */
async function refuseUnfinished(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ found: string | null }>(
    `select to_regclass('${UNFINISHED}') as found`,
  )
  if (rows[0]?.found === null) return
  throw new CannotStart(
    'A restore into this database is in progress or was interrupted. Run "sendwright restore" again, or empty the database.',
  )
}

/**
 * Returns the schema and when its tables were created. This identifies the installation, and survives a PostgreSQL
 * dump and restore. A Sendwright restore creates new tables.
 */
export async function readBirth(db: Db): Promise<string> {
  const [row] = await db.query<{ appliedAt: Date; schema: string }>(
    `select applied_at, current_schema() as schema
     from migration
     order by applied_at, name
     limit 1`,
  )
  if (row === undefined) throw new Error('The database has no schema yet.')
  const birth = row.appliedAt.toISOString()
  return row.schema === 'public' ? birth : `${row.schema} ${birth}`
}

/** Throws CannotStart when a later version has migrated the database. Its migrations have later names. */
async function refuseNewer(client: pg.Client, files: readonly string[]): Promise<void> {
  const last = files.at(-1) ?? ''
  const tables = await client.query<{ found: string | null }>(`select to_regclass('migration') as found`)
  if (tables.rows[0]?.found === null) return
  const { rows } = await client.query<{ name: string }>('select name from migration order by name')
  const newer = rows.map(({ name }) => name).filter((name) => name > last)
  if (newer.length === 0) return
  throw new CannotStart(
    `A newer version of Sendwright has migrated this database (${newer.join(', ')}). Migrations cannot be undone, so start ` +
      'that version. To return to this version, restore a backup from before the upgrade. Upgrades of the embedded ' +
      'PostgreSQL write one to the folder "backups" of the data directory.',
  )
}
