import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { runCommand } from '../../../test/support/command.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { startDatabaseProxy } from '../../../test/support/database-proxy.ts'
import { givenDeliveries } from '../../../test/support/deliveries.ts'
import { withBackupFile } from '../../db/backup/backup-file.ts'
import { readBackupHeader } from '../../db/backup/load-backup.ts'
import type { Db } from '../../db/db-types.ts'
import { connectForLong } from '../../db/own-connection.ts'
import { newId } from '../../lib/ids.ts'
import { countEmails } from '../../teams/usage-queries.ts'
import { type Restored, restoreDatabase } from './restore-database.ts'

const HOUR_MS = 3_600_000

let folder: string
let source: TestDatabase

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sendwright-restore-'))
  source = await createDatabase()
  await givenDeliveries(source.db, newId(), [{ domain: 'to.test' }])
})
afterAll(async () => {
  await source?.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Backs the source up to a new file. */
async function backUp(): Promise<string> {
  const file = join(folder, `${newId()}.backup`)
  const environment = {
    DATABASE_URL: source.url,
    SENDWRIGHT_DATA_DIR: join(folder, 'none'),
    SENDWRIGHT_SECRET_KEY: '0123456789abcdef'.repeat(4),
  }
  const made = await runCommand(['backup', file], { environment })
  expect(made.code, made.stderr).toBe(0)
  return file
}

/** Backs the source up, and restores it with a clock that moves by this much while the rows are loaded. */
async function restoreSlowly(tookMs: number): Promise<Db> {
  const file = await backUp()
  const database = await createEmptyDatabase()
  onTestFinished(() => database.drop())
  let isLoading = false
  const clock = { now: () => new Date(Date.now() + (isLoading ? tookMs : 0)) }
  await withBackupFile(file, async (frames) => {
    const header = await readBackupHeader(frames)
    await restoreDatabase(database.url, header, frames, clock, () => {
      isLoading = true
    })
  })
  return database.db
}

/**
 * Restores a file.
 * @param beforeRows runs when the tables are there, before the first row is read
 */
function restoreFile(file: string, url: string, beforeRows = async () => {}): Promise<Restored> {
  const clock = { now: () => new Date() }
  return withBackupFile(file, async (frames) => {
    const header = await readBackupHeader(frames)
    const tables = (async function* () {
      await beforeRows()
      yield* frames
    })()
    return restoreDatabase(url, header, tables, clock, () => {})
  })
}

test('rejected at once while another restore loads, which completes', async () => {
  const file = await backUp()
  const database = await createEmptyDatabase()
  onTestFinished(() => database.drop())
  const { rows } = await restoreFile(file, database.url, async () => {
    await expect(restoreFile(file, database.url)).rejects.toThrow(
      /^Another restore into this database is in progress\./,
    )
  })
  expect(rows).toBeGreaterThan(0)
})

/** Creates an empty database, and a proxy before it. */
async function givenProxiedDatabase() {
  const database = await createEmptyDatabase()
  const proxy = await startDatabaseProxy(database.url)
  onTestFinished(async () => {
    proxy.stop()
    await database.drop()
  })
  return { database, proxy }
}

test('complete, although another restore, whose connection broke before, cleans up meanwhile', async () => {
  const file = await backUp()
  const { database, proxy } = await givenProxiedDatabase()
  const locks = (where: string) =>
    database.db.query(
      `select 1 from pg_locks
       where locktype = 'advisory' and ${where}
         and database = (select oid from pg_database where datname = current_database())`,
    )
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>()
  let second: Promise<Restored> | undefined
  const first = restoreFile(file, proxy.url, async () => {
    proxy.stop()
    await expect.poll(() => locks('granted')).toEqual([])
    second = restoreFile(file, database.url, async () => {
      await proxy.start()
      begin()
      await expect.poll(() => locks('not granted')).toHaveLength(1)
    })
    await Promise.race([hasBegun, second])
  })
  await expect(first).rejects.toThrow(/connection/i)
  expect((await second)?.rows).toBeGreaterThan(0)
  expect(await database.db.query('select 1 as one from migration limit 1')).toEqual([{ one: 1 }])
})

test('held and paused: what came due while the backup was loaded', async () => {
  const teamId = newId()
  const dueAt = new Date(Date.now() + HOUR_MS)
  await givenDeliveries(source.db, teamId, [{ domain: 'to.test', status: 'scheduled', dueAt }])
  await source.db.query(
    `insert into campaign (team_id, id, name, status, scheduled_at, version, created_at, updated_at)
     values ($1, gen_random_uuid(), 'soon', 'scheduled', $2, 0, now(), now())`,
    [teamId, dueAt],
  )
  const db = await restoreSlowly(2 * HOUR_MS)
  expect(await db.query('select category from delivery where team_id = $1', [teamId])).toEqual([
    { category: 'restored' },
  ])
  expect(
    await db.query('select status, paused_reason as why from campaign where team_id = $1', [teamId]),
  ).toEqual([{ status: 'paused', why: 'restored' }])
})

test('the total of emails is right although a week was being dropped when the backup was made', async () => {
  const teamId = newId()
  await givenDeliveries(source.db, teamId, [{ domain: 'to.test' }, { domain: 'to.test' }])
  // Nothing is left of five others, and they are not yet counted as dropped.
  await source.db.query(
    `insert into usage (team_id, month, month_recipients, day, day_recipients, emails)
     values ($1, '2026-01-01', 7, '2026-01-01', 7, 7)`,
    [teamId],
  )
  expect(await countEmails(await restoreSlowly(0), teamId)).toBe(2)
})

/**
 * Restores through a connection that breaks after the database has done the last commit, and before it has answered.
 * Then `afterwards` happens to the proxy.
 */
async function restoreUnanswered(afterwards: 'start' | 'stay away') {
  const file = await backUp()
  const { database, proxy } = await givenProxiedDatabase()
  proxy.filterCommits(async () => {
    const [left] = await database.db.query<{ marker: string | null }>(
      `select to_regclass('restore_unfinished')::text as marker`,
    )
    if (left?.marker !== null) return true
    proxy.stop()
    if (afterwards === 'start') await proxy.start()
    return false
  })
  const restored = restoreFile(file, proxy.url)
  return { restored, db: database.db }
}

test('complete, with all tables, when the last commit took effect but its answer was lost', async () => {
  const teamId = newId()
  await givenDeliveries(source.db, teamId, [{ domain: 'to.test' }])
  const { restored, db } = await restoreUnanswered('start')
  expect((await restored).rows).toBeGreaterThan(0)
  expect(await db.query('select category from delivery where team_id = $1', [teamId])).toEqual([
    { category: 'restored' },
  ])
})

test('unknown when the database stays away after the last commit, and no table is dropped', async () => {
  const { restored, db } = await restoreUnanswered('stay away')
  await expect(restored).rejects.toThrow(/^It is unknown whether the restore was completed: /)
  expect(await db.query('select 1 as one from migration limit 1')).toEqual([{ one: 1 }])
})

test('rejected, and nothing is dropped, when another restore is just committing', async () => {
  const file = await backUp()
  const database = await createEmptyDatabase()
  const committing = await connectForLong(database.url, 'test')
  onTestFinished(async () => {
    await committing.end()
    await database.drop()
  })
  await committing.query('create table kept (id int); create table restore_unfinished (since timestamptz)')
  await committing.query('begin')
  await committing.query('drop table restore_unfinished')
  const restored = restoreFile(file, database.url)
  const isRejected = expect(restored).rejects.toThrow(
    /^The database is not empty \(it contains the table kept\)\./,
  )
  await vi.waitFor(async () => {
    expect(await database.db.query('select 1 from pg_locks where not granted')).toHaveLength(1)
  })
  await committing.query('commit')
  await isRejected
  expect(await database.db.query('select 1 from kept')).toEqual([])
})
