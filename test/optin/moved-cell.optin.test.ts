import { expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../src/db/db.ts'
import type { Db } from '../../src/db/db-types.ts'
import { inSchema } from '../../src/db/pool.ts'
import { SLOW_POLL_MS, until } from '../journeys/support/children.ts'
import {
  createInstallation,
  type Installation,
  START_LIMIT_MS,
  STARTED,
} from '../journeys/support/installation.ts'
import {
  copyDefinitions,
  type DebianPostgres,
  isDebianPostgresHere,
  startDebianPostgres,
  titleWithDebianPostgres,
} from './support/debian-postgres.ts'
import { sendUnderFault } from './support/under-load.ts'

const SCHEMA = 'cell_a1'
/** A subscription copies a table with one worker, of which two run at once by default. */
const SETTINGS = [
  'wal_level=logical',
  'max_worker_processes=20',
  'max_logical_replication_workers=12',
  'max_sync_workers_per_subscription=8',
]
const COPY_LIMIT_MS = 180_000
const PAUSE_LIMIT_MS = 60_000

async function givenServer(): Promise<{ postgres: DebianPostgres; db: Db }> {
  const postgres = await startDebianPostgres(SETTINGS)
  onTestFinished(() => postgres.stop())
  const db = openDb(postgres.url, { connectionsMax: 1, timeoutMs: 30_000, name: 'journey' })
  onTestFinished(() => db.close())
  return { postgres, db }
}

/** Starts a cell, whose server is that of `environment.DATABASE_URL`. */
async function givenCell(databaseUrl: string): Promise<Installation> {
  const installation = await createInstallation(inSchema(databaseUrl, SCHEMA))
  onTestFinished(() => installation.remove())
  const settings = { DATABASE_URL: databaseUrl, SENDWRIGHT_SCHEMA: SCHEMA, SENDWRIGHT_CELL: 'a1' }
  Object.assign(installation.environment, settings)
  await installation.mx.start()
  return installation
}

/** Lets `to` follow `from`, and waits until it has all rows. The cell keeps running. */
async function follow(from: Awaited<ReturnType<typeof givenServer>>, to: typeof from): Promise<void> {
  await from.db.query(`create publication ${SCHEMA} for tables in schema ${SCHEMA}`)
  await copyDefinitions(SCHEMA, from.postgres.url, to.postgres.url)
  await to.db.query(`create subscription ${SCHEMA} connection '${from.postgres.url}' publication ${SCHEMA}`)
  await until(
    'all tables are copied',
    COPY_LIMIT_MS,
    async () => {
      const [row] = await to.db.query<{ left: number }>(
        `select count(*)::int4 as left from pg_subscription_rel where srsubstate <> 'r'`,
      )
      return row?.left === 0 ? true : null
    },
    SLOW_POLL_MS,
  )
}

/** Waits until `to` has what `from` has written, and ends the replication. */
async function catchUp(from: Db, to: Db): Promise<void> {
  const [end] = await from.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
  await until('the other server has caught up', PAUSE_LIMIT_MS, async () => {
    const [slot] = await from.query<{ isThere: boolean }>(
      'select confirmed_flush_lsn >= $1::pg_lsn as is_there from pg_replication_slots where slot_name = $2',
      [end?.lsn, SCHEMA],
    )
    return slot?.isThere === true ? true : null
  })
  await to.query(`drop subscription ${SCHEMA}`)
}

// The commands of docs/scale.md.
test.skipIf(!isDebianPostgresHere)(
  titleWithDebianPostgres(
    'a cell under load moves to another server by logical replication, and nothing is lost',
  ),
  { timeout: 600_000 },
  async () => {
    const [from, to] = await Promise.all([givenServer(), givenServer()])
    const cell = await givenCell(from.postgres.url)
    let server = cell.serve()
    await server.waitForLine(STARTED, START_LIMIT_MS)
    const senders = [await cell.createSender('one.sender.test')]
    let beganMs = 0
    let pauseMs = 0
    const load = { emails: 2000, clients: 4, everyMs: 100 }
    const told = await sendUnderFault(cell, senders, load, async () => {
      const copiedMs = Date.now()
      await follow(from, to)
      beganMs = Date.now()
      server.signal('SIGTERM')
      await server.ended
      await catchUp(from.db, to.db)
      cell.environment.DATABASE_URL = to.postgres.url
      server = cell.serve()
      await server.waitForLine(STARTED, START_LIMIT_MS)
      pauseMs = Date.now() - beganMs
      console.log(`copied in ${beganMs - copiedMs} ms, paused for ${pauseMs} ms`)
      return { beganMs }
    })
    expect(told.copies).toBe(0)
    const counts = [from.db, to.db].map((db) =>
      db.query<{ count: number }>(`select count(*)::int4 as count from ${SCHEMA}.email`),
    )
    const [[before], [after]] = (await Promise.all(counts)) as [{ count: number }[], { count: number }[]]
    expect(after?.count).toBe(load.emails)
    expect(before?.count).toBeLessThan(load.emails)
  },
)
