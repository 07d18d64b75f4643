import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../../../test/support/command.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { LOCK_KEY, LOCKS } from '../../../db/locks.ts'
import { connectForLong } from '../../../db/own-connection.ts'
import { makeSecretFile } from '../../../lib/crypto/seal.ts'
import { newId } from '../../../lib/ids.ts'

const KEY = '0123456789abcdef'.repeat(4)
const JANE = 'jane@person.test'
const FROM_JANE = ['--from', `a@shop.example.com`, '--to', JANE, '--subject', 'Hello', '--text', 'x']
const OF_SECRET: readonly (readonly string[])[] = [
  ['erase', JANE, '--yes', '--keep-suppressed'],
  ['export-person', JANE],
  ['domain', 'add', 'other.example.com'],
  ['send', ...FROM_JANE],
]

let folder: string
let database: TestDatabase

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sendwright-secret-'))
  database = await createDatabase()
  const withKey = { SENDWRIGHT_SECRET_KEY: KEY }
  const team = (await sendwright(['team', 'create', 'Shop'], folder)).json()
  expect(await sendwright(['domain', 'add', 'shop.example.com'], folder, withKey)).toMatchObject({ code: 0 })
  await database.db.query(
    `insert into suppression (team_id, id, email, reason, created_at, updated_at)
     values ($1, $2, $3, 'manual', now(), now())`,
    [team.id, newId(), JANE],
  )
})
afterAll(async () => {
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a command on the database of another machine's server, with this data directory. */
function sendwright(args: readonly string[], dataDir: string, settings: Record<string, string> = {}) {
  const environment = { DATABASE_URL: database.url, SENDWRIGHT_DATA_DIR: dataDir, ...settings }
  return runCommand(args, { environment })
}

const suppressed = () => database.db.query('select email from suppression')
const domains = () => database.db.query('select name from domain')
const emails = () => database.db.query('select 1 from email')

async function expectUnchanged(): Promise<void> {
  expect(await suppressed()).toEqual([{ email: JANE }])
  expect(await domains()).toEqual([{ name: 'shop.example.com' }])
  expect(await emails()).toEqual([])
}

test('commands on an external database do not make a key of their own, which the server would not know', async () => {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  for (const args of OF_SECRET) {
    const { code, stdout, stderr } = await sendwright(args, empty)
    expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: '' })
    expect(stderr).toMatch(/^The secret key of the installation was not found\. Set SENDWRIGHT_SECRET_KEY, /)
  }
  expect(existsSync(join(empty, 'secret-key'))).toBe(false)
  await expectUnchanged()
})

test("commands do not use another installation's key", async () => {
  const other = join(folder, 'other')
  mkdirSync(other)
  makeSecretFile(other)
  for (const args of OF_SECRET) {
    const { code, stdout, stderr } = await sendwright(args, other)
    expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: '' })
    expect(stderr).toMatch(/^The secret key .* does not belong to this database: /)
  }
  await expectUnchanged()
})

test('commands that seal and hash nothing need no key', async () => {
  const empty = join(folder, 'no-key')
  mkdirSync(empty)
  const records = await sendwright(['domain', 'records', 'shop.example.com'], empty)
  expect(records).toMatchObject({ code: 0, stderr: '' })
  expect((await sendwright(['domain', 'list'], empty)).json()).toMatchObject([{ name: 'shop.example.com' }])
  expect(existsSync(join(empty, 'secret-key'))).toBe(false)
})

test('a restore that fails beside another one keeps the key, which the other may need', async () => {
  const file = join(folder, 'with-key.backup')
  expect(
    await sendwright(['backup', file, '--with-secret'], folder, { SENDWRIGHT_SECRET_KEY: KEY }),
  ).toMatchObject({ code: 0 })
  const dataDir = join(folder, 'two-restores')
  const target = await createEmptyDatabase()
  const other = await connectForLong(target.url, 'test')
  onTestFinished(async () => {
    await other.end()
    await target.drop()
  })
  await other.query(`select pg_advisory_lock(${LOCK_KEY})`, [LOCKS.restore])
  const { code, stderr } = await sendwright(['restore', file], dataDir, { DATABASE_URL: target.url })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('Another restore into this database'),
  })
  expect(existsSync(join(dataDir, 'secret-key'))).toBe(true)
})

test('a domain that was sealed with a wrong key no longer blocks commands once it is deleted', async () => {
  const own = { SENDWRIGHT_SECRET_KEY: KEY }
  await database.db.query(
    `insert into dkim_key (team_id, domain_id, algorithm, domain_name, selector, public_key, sealed_private_key, created_at)
     select team_id, $1, algorithm, 'wrong.example.com', 'other', public_key, 'other', now() + interval '1 s'
     from dkim_key
     limit 1`,
    [newId()],
  )
  expect(await sendwright(['export-person', JANE], folder, own)).toMatchObject({ code: 1 })
  await database.db.query("update dkim_key set retired_at = now() where selector = 'other'")
  expect(await sendwright(['export-person', JANE], folder, own)).toMatchObject({ code: 0 })
})
