import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { openDb } from '../../db/db.ts'
import { ApiError } from '../../lib/api-error.ts'
import { type Attempt, beginAttempt, endAttempt } from './login-attempts.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const BEGIN = Date.parse('2027-01-01T00:00:00Z')
const at = (seconds: number) => new Date(BEGIN + seconds * 1000)
let counter = 0
const attemptOf = (more: Partial<Attempt> = {}): Attempt => ({
  what: 'login',
  ipAddress: `192.0.2.${++counter}`,
  account: `person${counter}@people.test`,
  ...more,
})

/** Seconds that it was told to wait; 0: it was let in. */
async function waitOf(attempt: Attempt, seconds: number, isKnown = false): Promise<number> {
  try {
    await beginAttempt(database.db, attempt, at(seconds), isKnown)
    return 0
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).message).toMatch(/^Too many attempts\. Please retry after \d+ seconds\.$/)
    return (error as ApiError).retryAfterSeconds ?? -1
  }
}

test('five at once, then after 1 s, 2 s, 4 s ... up to 15 minutes; a try that is refused lengthens nothing', async () => {
  const attempt = attemptOf()
  for (let count = 0; count < 5; count++) expect(await waitOf(attempt, 0)).toBe(0)
  let now = 0
  for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
    expect(await waitOf(attempt, now)).toBe(wait)
    expect(await waitOf(attempt, now + wait / 2)).toBe(Math.ceil(wait / 2))
    now += wait
    expect(await waitOf(attempt, now)).toBe(0)
  }
  // Left alone for an hour it begins anew.
  for (let count = 0; count < 5; count++) expect(await waitOf(attempt, now + 3601)).toBe(0)
  expect(await waitOf(attempt, now + 3601)).toBe(1)
})

test('the account begins anew once it is right', async () => {
  const attempt = attemptOf()
  for (let count = 0; count < 6; count++) await waitOf(attempt, 0)
  await endAttempt(database.db, attempt, at(0))
  expect(await waitOf(attempt, 0)).toBe(0)
})

test('a network with many accounts is held up as a whole, an IPv6 network by its /64', async () => {
  const waits: number[] = []
  for (let host = 0; host < 51; host++) {
    waits.push(await waitOf(attemptOf({ ipAddress: `2001:db8:7::${host.toString(16)}` }), 0))
  }
  expect(waits.filter((wait) => wait > 0)).toEqual([1])
  expect(await waitOf(attemptOf({ ipAddress: '2001:db8:8::1' }), 0)).toBe(0)
})

test('an account that is tried from everywhere waits a minute at most, and from where it is at home not at all', async () => {
  const account = 'victim@people.test'
  let now = 0
  let longest = 0
  for (let count = 0; count < 70; count++) {
    const wait = await waitOf(attemptOf({ account }), now)
    longest = Math.max(longest, wait)
    now += wait
  }
  expect(longest).toBe(60)
  expect(await waitOf(attemptOf({ account }), now)).toBeGreaterThan(0)
  expect(await waitOf(attemptOf({ account }), now, true)).toBe(0)
})

test('exact over processes: of 40 at the same moment five are let in', async () => {
  const other = openDb(database.url, { connectionsMax: 5, timeoutMs: 10_000, name: 'test' })
  const attempt = attemptOf()
  const tries = Array.from({ length: 40 }, (_, index) =>
    // Their clocks do not agree to the millisecond, nor do they come in the order of their clocks.
    beginAttempt(index % 2 === 0 ? database.db : other, attempt, at(((index * 7) % 40) / 1000)),
  )
  const outcomes = await Promise.allSettled(tries)
  await other.close()
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
})

test('nothing of who was tried is kept', async () => {
  await waitOf(attemptOf({ account: 'my-password-by-mistake' }), 0)
  const rows = await database.db.query<{ row: string }>('select t::text as row from throttle t')
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.map(({ row }) => row).join(' ')).not.toMatch(/mistake|192\.0\.2/)
})
