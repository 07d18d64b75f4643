import type pg from 'pg'
import { openDb } from '../../../src/db/db.ts'
import { startEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts'
import { applyMigrations, listMigrations } from '../../../src/db/migrations/migrate.ts'
import { connectForLong } from '../../../src/db/own-connection.ts'
import { createLog } from '../../../src/lib/log.ts'

const NAME = 'test'

/**
 * Returns the embedded database of a stopped server to the schema that an earlier version left, with all rows that fit
 * into it. Released migrations never change, so they are that schema.
 * @param last the name of the last migration of the earlier version
 * @returns the names of the migrations that an upgrade has to apply
 */
export async function returnToSchema(dataDir: string, last: string): Promise<string[]> {
  const all = await listMigrations()
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('warn') })
  try {
    const client = await connectForLong(postgres.url, NAME)
    const db = openDb(postgres.url, { connectionsMax: 1, timeoutMs: 30_000, name: NAME })
    try {
      await client.query('alter schema public rename to later; create schema public')
      await applyMigrations(
        db,
        all.filter((name) => name <= last),
        new Date(),
      )
      await copyRows(client)
      await client.query('drop schema later cascade')
    } finally {
      await db.close()
      await client.end()
    }
  } finally {
    await postgres.stop()
  }
  return all.filter((name) => name > last)
}

/** Copies the columns that both schemas have. Without triggers, the order of the tables does not matter. */
async function copyRows(client: pg.Client): Promise<void> {
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  const { rows: tables } = await client.query<{ name: string; columns: string }>(
    `select c.relname as name, string_agg(quote_ident(a.attname), ', ') as columns
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     join pg_attribute b on b.attrelid = to_regclass('later.' || quote_ident(c.relname)) and b.attname = a.attname
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> 'migration'
     group by c.relname`,
  )
  for (const { name, columns } of tables) {
    await client.query(`delete from public."${name}"`)
    await client.query(
      `insert into public."${name}" (${columns}) overriding system value select ${columns} from later."${name}"`,
    )
  }
  const { rows: sequences } = await client.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = 'public'`,
  )
  for (const { name } of sequences) {
    await client.query(`select setval('public."${name}"', last_value, is_called) from later."${name}"`)
  }
  await client.query('commit')
}
