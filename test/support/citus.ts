import { openDb } from '../../src/db/db.ts'
import type { Db } from '../../src/db/db-types.ts'

/**
 * The URL of a database of a Citus coordinator. If it is set, each database of the tests is a distributed schema there, which
 * Citus places on one of its nodes.
 */
export const citusUrl = process.env.SENDWRIGHT_TEST_CITUS_URL

const NO_TRIGGER = 'it has a trigger, which a distributed table cannot have'
const OWN_INTERVAL = 'it moves times by an interval in set, which Citus rejects'
const OTHER_TABLES = 'it reads the tables of the schema "public", where Citus has its own'

/**
 * The tests that do not run on Citus, with the reason, by file or by file and name. Each would fail for what the test does, not
 * for what the product does.
 */
export const NOT_ON_CITUS: Readonly<Record<string, string>> = {
  'src/emails/read/list-emails-queries.test.ts':
    'it inserts rows from a table with now(), for which Citus 13.2 composes invalid SQL',
  'src/events/feed-page.test.ts': 'its rows have ids of uuidv7(), which PostgreSQL has from version 18 on',
  'src/queue/lost-claims.test.ts': NO_TRIGGER,
  'test/engine/audit.test.ts > 201 with the created key, even when its entry cannot be completed': NO_TRIGGER,
  'test/engine/backup.test.ts > a restore replaces an interrupted one, keeps every row of every table, also in a data directory, sends nothing again, and holds open mail for the operator':
    OTHER_TABLES,
  'test/engine/backup.test.ts > a restore is rejected for a truncated or changed file, a different key and a database that is not empty, and leaves nothing behind':
    OTHER_TABLES,
  'test/engine/campaigns.test.ts > a campaign > held within a second of a pause, and continued by a resume':
    OWN_INTERVAL,
  'test/engine/readiness.test.ts': OWN_INTERVAL,
  'test/engine/summary.test.ts > GET /summary > an upgrade counts the outcomes of earlier emails as the roll-up would have':
    'it applies a migration as one command, which Citus rejects',
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
