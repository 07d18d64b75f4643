import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { CannotStart } from '../lib/cannot-start.ts'
import type { Db } from './db-types.ts'
import { ensurePartitions } from './partitions/partitions.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
/** Any number that nothing else uses: migrations of one database wait for each other on it. */
const LOCK = 7_306_085_241
/** An index on a table of millions takes minutes; whoever starts meanwhile waits for it. */
const PATIENCE_MS = 3_600_000

/**
 * Brings the schema to the newest version; returns the names applied, in order. Safe to call from every process at
 * once. Each file runs once, inside a transaction of its own; files are never edited after a release.
 */
export async function migrate(db: Db, now: Date): Promise<string[]> {
  return applyMigrations(db, await listMigrations(), now, refuseUnfinished)
}

/** The names of all migrations that this version has, in order. */
export async function listMigrations(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
}

/**
 * The same up to a state of before, for a backup that is to be loaded into it.
 * @param files in order
 * @param check of the database, before anything is done
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
      text: 'select pg_advisory_lock($1)',
      values: [LOCK],
      query_timeout: PATIENCE_MS,
    } as never)
    await check(client)
    await client.query(
      'create table if not exists migration (name text primary key, applied_at timestamptz not null)',
    )
    const done = await client.query<{ name: string }>('select name from migration')
    const known = new Set(done.rows.map((row) => row.name))
    for (const name of files) {
      if (known.has(name)) continue
      await client.query('begin')
      const text = await readFile(join(FOLDER, name), 'utf8')
      await client.query({ text, query_timeout: PATIENCE_MS } as never)
      await client.query('insert into migration (name, applied_at) values ($1, $2)', [name, now])
      await client.query('commit')
      applied.push(name)
    }
    // Under the same lock: two processes that start at once must not both make a partition.
    await ensurePartitions(client, now)
  } finally {
    await client.end()
  }
  return applied
}

/** A table that is there from the first to the last step of a restore. */
export const UNFINISHED = 'restore_unfinished'

/** Nobody starts on half of a backup. */
async function refuseUnfinished(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ found: string | null }>(
    `select to_regclass('${UNFINISHED}') as found`,
  )
  if (rows[0]?.found === null) return
  throw new CannotStart(
    'A restore into this database is under way, or was broken off: run "sendwright restore" again, or empty the database.',
  )
}

/** When the schema of this database was made: tells it from others, and stays with it through dump and restore of PostgreSQL's own. What our restore makes is another one. */
export async function readBirth(db: Db): Promise<string> {
  const [row] = await db.query<{ appliedAt: Date }>(
    `select applied_at
     from migration
     order by applied_at, name
     limit 1`,
  )
  if (row === undefined) throw new Error('The database has no schema yet.')
  return row.appliedAt.toISOString()
}
