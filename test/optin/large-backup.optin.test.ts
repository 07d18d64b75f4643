import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SERVER } from '../../bin/built-server.mjs'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { givenTeamRow, insertOldEmails, makeWeekOf } from '../support/old-weeks.ts'

const SECRET = 'a-secret-key-for-tests-of-32-and-more-characters'
const EMAILS = 60_000
const EMAIL_BYTES = 10_000
/** An email of 30 MB is one row and one protocol message. */
const LARGE_BYTES = 30_000_000
const MEMORY_MAX_BYTES = 400_000_000
const POLL_MS = 20

let folder: string
let full: TestDatabase
let empty: TestDatabase

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sendwright-large-backup-'))
  full = await createDatabase()
  empty = await createEmptyDatabase()
  const at = new Date(Date.now() - 20 * 24 * 3_600_000)
  await makeWeekOf(full.db, at)
  const team = await givenTeamRow(full.db)
  for (let done = 0; done < EMAILS; done += 2000) {
    await insertOldEmails(full.db, team, 2000, { at, bytes: EMAIL_BYTES })
  }
  await insertOldEmails(full.db, team, 3, { at, bytes: LARGE_BYTES })
}, 600_000)
afterAll(async () => {
  await full?.drop()
  await empty?.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a command. Returns the peak memory of its process (proc(5), VmHWM) and its duration. */
async function measure(args: readonly string[], databaseUrl: string) {
  const env = {
    PATH: '/usr/bin:/bin',
    DATABASE_URL: databaseUrl,
    SENDWRIGHT_SECRET_KEY: SECRET,
    SENDWRIGHT_DATA_DIR: folder,
  }
  const startedMs = performance.now()
  const child = spawn(process.execPath, [SERVER, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let peakBytes = 0
  const look = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peakBytes = Math.max(peakBytes, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024)
    } catch {
      // The process has ended.
    }
  }, POLL_MS)
  const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)])
  clearInterval(look)
  return { code, stderr, peakBytes, seconds: (performance.now() - startedMs) / 1000 }
}

test('backup and restore use bounded memory for tables of any size', async () => {
  const file = join(folder, 'large.backup')
  const backup = await measure(['backup', file], full.url)
  expect(backup.code, backup.stderr).toBe(0)
  const restore = await measure(['restore', file], empty.url)
  expect(restore.code, restore.stderr).toBe(0)
  const sizes = []
  for (const { db } of [full, empty]) {
    const sums = `select count(*)::int4 as count, sum(length(message))::int8 as bytes from email_content`
    sizes.push(await db.query(sums, [], { timeoutMs: 60_000 }))
  }
  expect(sizes[1]).toEqual(sizes[0])
  const figures = [backup, restore].map(
    ({ peakBytes, seconds }) => `${Math.round(peakBytes / 1e6)} MB of memory, ${seconds.toFixed(1)} s`,
  )
  process.stdout.write(`${statSync(file).size / 1e6} MB; backup ${figures[0]}; restore ${figures[1]}\n`)
  expect(Math.max(backup.peakBytes, restore.peakBytes)).toBeLessThan(MEMORY_MAX_BYTES)
}, 600_000)
