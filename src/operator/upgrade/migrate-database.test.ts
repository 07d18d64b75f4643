import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { withBackupFile } from '../../db/backup/backup-file.ts'
import { readBackupHeader, readTables } from '../../db/backup/load-backup.ts'
import { openDb } from '../../db/db.ts'
import type { Db } from '../../db/db-types.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded/embedded-postgres.ts'
import { applyMigrations, listMigrations, listPending } from '../../db/migrations/migrate.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { migrateDatabase } from './migrate-database.ts'

const REPEATABLE = '0021-account-mail.sql'
const NOW = new Date('2026-11-02T10:00:00Z')

let dataDir: string
let postgres: EmbeddedPostgres
let db: Db

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sendwright-upgrade-'))
  postgres = await startEmbeddedPostgres({ dataDir, log: createLog('warn') })
  db = openDb(postgres.url, { connectionsMax: 1, timeoutMs: 30_000, name: 'test' })
})
afterAll(async () => {
  await db?.close()
  await postgres?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const backups = () => readdirSync(join(dataDir, 'backups')).sort()

/** Migrates as the start of a server does, `minutes` after the first time. */
function upgrade(minutes: number, settings: Record<string, string> = {}) {
  const config = readConfig({ SENDWRIGHT_DATA_DIR: dataDir, ...settings })
  return migrateDatabase({ db, config, url: postgres.url, now: new Date(NOW.getTime() + minutes * 60_000) })
}

/** Returns the migrations that the backup contains. */
function readMigrations(name: string): Promise<string[]> {
  return withBackupFile(join(dataDir, 'backups', name), async (frames) => {
    const { migrations } = await readBackupHeader(frames)
    for await (const _ of frames);
    return migrations
  })
}

/** Makes the database one that lacks a migration, whose statements may run twice. */
const givenOlder = () => db.query('delete from migration where name = $1', [REPEATABLE])

test('a database of an older version is backed up as it was, and then migrated', async () => {
  const files = await listMigrations()
  await applyMigrations(db, files.slice(0, -1), NOW)
  await db.query('insert into team_tag (tag, team_id) values ($1, $2)', ['abcdefgh', newId(NOW.getTime())])
  const { applied, backup } = await upgrade(0)
  expect(applied).toEqual([files.at(-1)])
  const name = `before-20261102T100000Z-${files.at(-1)?.replace('.sql', '')}.backup`
  expect(backup).toBe(join(dataDir, 'backups', name))
  expect(statSync(backup ?? '').mode & 0o777).toBe(0o600)

  const rows: Record<string, number> = {}
  await withBackupFile(backup ?? '', async (frames) => {
    expect((await readBackupHeader(frames)).migrations).toEqual(files.slice(0, -1))
    const skip = async (_table: unknown, data: AsyncGenerator<Buffer>) => {
      for await (const _ of data);
      return null
    }
    await readTables(frames, skip, (table) => (rows[table.table] = table.rows))
  })
  expect(rows.team_tag).toBe(1)
})

test('no backup without a migration, with SENDWRIGHT_UPGRADE_BACKUP=false, or of an external database', async () => {
  const before = backups()
  expect(await upgrade(1)).toEqual({ applied: [], backup: null })
  for (const settings of [{ SENDWRIGHT_UPGRADE_BACKUP: 'false' }, { DATABASE_URL: postgres.url }]) {
    await givenOlder()
    expect(await upgrade(1, settings as Record<string, string>)).toEqual({
      applied: [REPEATABLE],
      backup: null,
    })
  }
  expect(backups()).toEqual(before)
})

test('the two newest backups are kept, and other files', async () => {
  writeFileSync(join(dataDir, 'backups', 'monday.backup'), '')
  for (const minutes of [2, 3, 4]) {
    await givenOlder()
    await upgrade(minutes)
  }
  expect(backups()).toEqual([
    'before-20261102T100300Z-0021-account-mail.backup',
    'before-20261102T100400Z-0021-account-mail.backup',
    'monday.backup',
  ])
})

test('an upgrade that fails halfway keeps the backup from before it, however often it is repeated', async () => {
  const kept = backups()
  // Their tables are there, so that they fail.
  const [second, third] = ['0050-packed-bodies.sql', '0052-automations.sql']
  const setApplied = (name: string) =>
    db.query('insert into migration (name, applied_at) values ($1, $2)', [name, NOW])
  await db.query('delete from migration where name = any($1)', [[REPEATABLE, second]])
  const first = 'before-20261102T101000Z-0021-account-mail.backup'
  for (const minutes of [10, 11, 12, 13]) {
    const failed = await upgrade(minutes).catch((error: Error) => error.message)
    expect(failed).toMatch(/^The upgrade of the database failed: .* already exists/)
    expect(failed).toContain(join(dataDir, 'backups', first))
  }
  expect(backups()).toEqual(
    [...kept, first, 'before-20261102T101300Z-0050-packed-bodies.backup', 'unfinished-upgrade'].sort(),
  )
  expect(await readMigrations(first)).not.toContain(REPEATABLE)

  await setApplied(second)
  await db.query('delete from migration where name = $1', [third])
  await expect(upgrade(14)).rejects.toThrow('already exists')
  await setApplied(third)
  await upgrade(15)
  expect(backups()).toEqual([
    first,
    'before-20261102T101300Z-0050-packed-bodies.backup',
    'before-20261102T101400Z-0052-automations.backup',
    'monday.backup',
  ])
})

test('an upgrade that fails at once is backed up anew, because the old version may have run since then', async () => {
  await db.query('delete from migration where name = $1', ['0050-packed-bodies.sql'])
  const kept = backups()
  for (const minutes of [20, 21]) await expect(upgrade(minutes)).rejects.toThrow('already exists')
  const newest = 'before-20261102T102100Z-0050-packed-bodies.backup'
  expect(backups()).toEqual([...kept, newest, 'unfinished-upgrade'].sort())
  await db.query('insert into migration (name, applied_at) values ($1, $2)', ['0050-packed-bodies.sql', NOW])
  await upgrade(22)
  expect(backups()).toEqual(['before-20261102T101400Z-0052-automations.backup', newest, 'monday.backup'])
})

test('the database is not migrated if the backup cannot be written', async () => {
  await givenOlder()
  rmSync(join(dataDir, 'backups'), { recursive: true })
  writeFileSync(join(dataDir, 'backups'), 'a file, not a folder')
  await expect(upgrade(5)).rejects.toThrow(
    /^Sendwright could not back up the database before the upgrade, and has changed nothing: .* SENDWRIGHT_UPGRADE_BACKUP=false\.$/,
  )
  expect(await listPending(db)).toEqual([REPEATABLE])
  rmSync(join(dataDir, 'backups'))
  await upgrade(5)
})

test('a database that a newer version migrated is rejected with a clear message, and stays unchanged', async () => {
  await db.query('insert into migration (name, applied_at) values ($1, $2)', ['9999-later.sql', NOW])
  await expect(upgrade(6)).rejects.toThrow(
    /^A newer version of Sendwright has migrated this database \(9999-later\.sql\)\./,
  )
  await db.query('delete from migration where name = $1', ['9999-later.sql'])
})
