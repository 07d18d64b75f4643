import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { openDb } from '../../db/db.ts'
import { ApiError } from '../../lib/api-error.ts'
import { beginAttempt, endAttempt, type LoginAttempt } from './login-attempts.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const BEGIN = Date.parse('2026-01-01T00:00:00Z')
const at = (seconds: number) => new Date(BEGIN + seconds * 1000)
let counter = 0
const attemptOf = (more: Partial<LoginAttempt> = {}): LoginAttempt => ({
  what: 'login',
  ipAddress: `192.0.2.${++counter}`,
  account: `person${counter}@people.test`,
  ...more,
})

/** Returns the seconds to wait, or 0 if the attempt was admitted. */
async function waitOf(attempt: LoginAttempt, seconds: number, isKnown = false): Promise<number> {
  try {
    await beginAttempt(database.db, attempt, at(seconds), isKnown)
    return 0
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).message).toMatch(/^Too many attempts\. Please retry after \d+ seconds\.$/)
    return (error as ApiError).retryAfterSeconds ?? -1
  }
}

test('five at once, then after 1 s, 2 s, 4 s ... up to 15 minutes; a rejected attempt does not extend the wait', async () => {
  const attempt = attemptOf()
  for (let count = 0; count < 5; count++) expect(await waitOf(attempt, 0)).toBe(0)
  let now = 0
  for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
    expect(await waitOf(attempt, now)).toBe(wait)
    expect(await waitOf(attempt, now + wait / 2)).toBe(Math.ceil(wait / 2))
    now += wait
    expect(await waitOf(attempt, now)).toBe(0)
  }
  // After an hour without attempts, counting restarts.
  for (let count = 0; count < 5; count++) expect(await waitOf(attempt, now + 3601)).toBe(0)
  expect(await waitOf(attempt, now + 3601)).toBe(1)
})

test('an account starts again after a success', async () => {
  const attempt = attemptOf()
  for (let count = 0; count < 6; count++) await waitOf(attempt, 0)
  await endAttempt(database.db, attempt, at(0))
  expect(await waitOf(attempt, 0)).toBe(0)
})

test('a network that tries many accounts is delayed as a whole, an IPv6 network by its /64', async () => {
  const waits: number[] = []
  for (let host = 0; host < 51; host++) {
    waits.push(await waitOf(attemptOf({ ipAddress: `2001:db8:7::${host.toString(16)}` }), 0))
  }
  expect(waits.filter((wait) => wait > 0)).toEqual([1])
  expect(await waitOf(attemptOf({ ipAddress: '2001:db8:8::1' }), 0)).toBe(0)
})

test('rejected attempts on one account do not count for its network; attempts on many accounts do', async () => {
  const ipAddress = '198.51.100.78'
  const retried = attemptOf({ ipAddress })
  const waits: number[] = []
  for (let count = 0; count < 100; count++) waits.push(await waitOf(retried, 0))
  expect(waits.filter((wait) => wait === 0)).toHaveLength(5)
  for (let count = 0; count < 45; count++) expect(await waitOf(attemptOf({ ipAddress }), 0)).toBe(0)
  expect(await waitOf(attemptOf({ ipAddress }), 0)).toBe(1)
  // A rejection does not end the wait of the network.
  expect(await waitOf(retried, 0)).toBe(1)
  expect(await waitOf(attemptOf({ ipAddress }), 0)).toBe(1)
})

test('a program that retries one login for two days does not delay others of its network', async () => {
  const ipAddress = '198.51.100.79'
  const retried = attemptOf({ ipAddress })
  let admitted = 0
  for (let now = 0; now < 48 * 3600; ) {
    const wait = await waitOf(retried, now)
    if (wait === 0) admitted++
    now += Math.max(10, Math.ceil(wait / 10) * 10)
  }
  expect(admitted).toBeGreaterThan(190)
  for (let count = 0; count < 50; count++) {
    expect(await waitOf(attemptOf({ ipAddress }), 48 * 3600)).toBe(0)
  }
})

test('attempts beyond the free ones of many accounts of a network are limited as a whole', async () => {
  const ipAddress = '198.51.100.80'
  const accounts = Array.from({ length: 9 }, () => attemptOf({ ipAddress }))
  for (const attempt of accounts) for (let count = 0; count < 5; count++) await waitOf(attempt, 0)
  const waits: number[] = []
  for (const now of [10, 20, 30, 40]) {
    for (const attempt of accounts) waits.push(await waitOf(attempt, now))
  }
  expect(waits.filter((wait) => wait === 0)).toHaveLength(30)
  expect(await waitOf(attemptOf({ ipAddress }), 40)).toBe(0)
})

test('a success beyond the free attempts takes nothing off the count of the network', async () => {
  const ipAddress = '198.51.100.81'
  const attempt = attemptOf({ ipAddress })
  for (let count = 0; count < 5; count++) expect(await waitOf(attempt, 0)).toBe(0)
  expect(await waitOf(attempt, 1)).toBe(0)
  await endAttempt(database.db, attempt, at(1))
  for (let count = 0; count < 45; count++) expect(await waitOf(attemptOf({ ipAddress }), 1)).toBe(0)
  expect(await waitOf(attemptOf({ ipAddress }), 1)).toBe(1)
})

test('rejected attempts change no counter, and store none for other accounts while a network waits', async () => {
  const ipAddress = '198.51.100.82'
  const stored = () => database.db.query('select key, tries, next_at, forget_at from throttle order by key')
  const retried = attemptOf({ ipAddress })
  for (let count = 0; count < 6; count++) await waitOf(retried, 0)
  const first = await stored()
  expect(await waitOf(retried, 0.5)).toBe(1)
  expect(await stored()).toEqual(first)
  for (let count = 0; count < 45; count++) expect(await waitOf(attemptOf({ ipAddress }), 0.5)).toBe(0)
  const second = await stored()
  for (let count = 0; count < 5; count++) expect(await waitOf(attemptOf({ ipAddress }), 1)).toBe(1)
  // Its own wait is over.
  expect(await waitOf(retried, 1)).toBe(1)
  expect(await stored()).toEqual(second)
})

test('a person who logged in from a network before does not wait for others there', async () => {
  const ipAddress = '198.51.100.77'
  for (let count = 0; count < 60; count++) await waitOf(attemptOf({ ipAddress }), 0)
  expect(await waitOf(attemptOf({ ipAddress }), 0)).toBeGreaterThan(0)
  const known = attemptOf({ ipAddress })
  expect(await waitOf(known, 0, true)).toBe(0)
  await endAttempt(database.db, known, at(0), true)
  expect(await waitOf(attemptOf({ ipAddress }), 0)).toBeGreaterThan(0)
})

test('an account tried from everywhere waits a minute at most, and not at all from its known network', async () => {
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

test('exact across processes: of 40 simultaneous attempts, five are admitted', async () => {
  const other = openDb(database.url, { connectionsMax: 5, timeoutMs: 10_000, name: 'test' })
  const attempt = attemptOf()
  const tries = Array.from({ length: 40 }, (_, index) =>
    // The clocks differ by milliseconds, and attempts do not arrive in the order of the clocks.
    beginAttempt(index % 2 === 0 ? database.db : other, attempt, at(((index * 7) % 40) / 1000)),
  )
  const outcomes = await Promise.allSettled(tries)
  await other.close()
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
})

test('no account or address of an attempt is stored', async () => {
  await waitOf(attemptOf({ account: 'my-password-by-mistake' }), 0)
  const rows = await database.db.query<{ row: string }>('select t::text as row from throttle t')
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.map(({ row }) => row).join(' ')).not.toMatch(/mistake|192\.0\.2/)
})
