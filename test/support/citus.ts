import { openDb } from '../../src/db/db.ts'
import type { Db } from '../../src/db/db-types.ts'

/**
 * The URL of a database of a Citus coordinator. If it is set, each database of the tests is a distributed schema there, which
 * Citus places on one of its nodes.
 */
export const citusUrl = process.env.SENDWRIGHT_TEST_CITUS_URL

/** Tests that do not run on Citus, with the reason. Each fails for what the test does, not for what the product does. */
export const NOT_ON_CITUS: Readonly<Record<string, string>> = {
  'src/emails/read/list-emails-queries.test.ts':
    'it inserts rows from a table with now(), for which Citus 13.2 composes invalid SQL',
  'src/events/feed-page.test.ts': 'its rows have ids of uuidv7(), which PostgreSQL has from version 18 on',
  'src/queue/lost-claims.test.ts': 'it delays a claim by a trigger, which a distributed table cannot have',
}

/** Moves the tables of a schema to one of the nodes. */
export async function distributeSchema(db: Db): Promise<void> {
  await db.query('select citus_schema_distribute(current_schema()::regnamespace)', undefined, {
    timeoutMs: 120_000,
  })
}

/** Returns the schemas that tests have created. */
export async function findCitusSchemas(): Promise<string[]> {
  const db = openDb(citusUrl ?? '', { connectionsMax: 1, timeoutMs: 30_000, name: 'test' })
  const rows = await db
    .query<{ name: string }>(
      `select nspname as name from pg_namespace where nspname like 'test\\_%' order by 1`,
    )
    .finally(() => db.close())
  return rows.map(({ name }) => `schema ${name}`)
}
