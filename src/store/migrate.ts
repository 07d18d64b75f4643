import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from './db.ts'
import { ensurePartitions } from './partitions.ts'

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
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  const client = await db.connect()
  const applied: string[] = []
  try {
    await client.query('set statement_timeout = 0')
    await client.query({
      text: 'select pg_advisory_lock($1)',
      values: [LOCK],
      query_timeout: PATIENCE_MS,
    } as never)
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

/** When the schema of this database was made: tells it from others, and stays with it through dump and restore. */
export async function readBirth(db: Db): Promise<string> {
  const [row] = await db.query<{ applied_at: Date }>(
    `select applied_at
     from migration
     order by applied_at, name
     limit 1`,
  )
  if (row === undefined) throw new Error('The database has no schema yet.')
  return row.applied_at.toISOString()
}
