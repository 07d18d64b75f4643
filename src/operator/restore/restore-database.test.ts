import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../../test/support/command.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { givenDeliveries } from '../../../test/support/deliveries.ts'
import { withBackupFile } from '../../db/backup/backup-file.ts'
import { readBackupHeader } from '../../db/backup/load-backup.ts'
import type { Db } from '../../db/db-types.ts'
import { newId } from '../../lib/ids.ts'
import { countEmails } from '../../teams/usage-queries.ts'
import { restoreDatabase } from './restore-database.ts'

const HOUR_MS = 3_600_000

let folder: string
let source: TestDatabase

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sendwright-restore-'))
  source = await createDatabase()
})
afterAll(async () => {
  await source?.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Backs the source up, and restores it with a clock that moves by this much while the rows are loaded. */
async function restoreSlowly(tookMs: number): Promise<Db> {
  const file = join(folder, `${newId()}.backup`)
  const environment = {
    DATABASE_URL: source.url,
    SENDWRIGHT_DATA_DIR: join(folder, 'none'),
    SENDWRIGHT_SECRET_KEY: '0123456789abcdef'.repeat(4),
  }
  const made = await runCommand(['backup', file], { environment })
  expect(made.code, made.stderr).toBe(0)
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
