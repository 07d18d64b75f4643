import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { openDb } from '../db/db.ts'
import { DatabaseUnavailable } from '../db/db-types.ts'
import { newId } from '../lib/ids.ts'
import { createRateLimiter } from './rate-limit.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

/** A clock that stands still until it is moved. */
function givenClock(start = Date.UTC(2026, 5, 1)) {
  let at = start
  return {
    now: () => new Date(at),
    advance(ms: number) {
      at += ms
    },
  }
}

describe('admitted', () => {
  test('exactly 60 of 500 in parallel over two processes', async () => {
    const clock = givenClock()
    const secondDb = openDb(database.url, { connectionsMax: 5, timeoutMs: 10_000, name: 'test' })
    const limiters = [createRateLimiter(database.db, clock), createRateLimiter(secondDb, clock)]
    const team = newId()
    const admissions = await Promise.all(
      Array.from({ length: 500 }, (_, index) => limiters[index % 2]?.admit(team, 'send', 60)),
    )
    expect(admissions.filter((admission) => admission?.isAdmitted)).toHaveLength(60)
    await secondDb.close()
  })

  test('exactly 60 of 500 that come one wave after the other', async () => {
    const clock = givenClock()
    const secondDb = openDb(database.url, { connectionsMax: 5, timeoutMs: 10_000, name: 'test' })
    const limiters = [createRateLimiter(database.db, clock), createRateLimiter(secondDb, clock)]
    const team = newId()
    let admitted = 0
    for (let wave = 0; wave < 50; wave++) {
      const admissions = await Promise.all(
        Array.from({ length: 10 }, (_, index) => limiters[index % 2]?.admit(team, 'send', 60)),
      )
      admitted += admissions.filter((admission) => admission?.isAdmitted).length
    }
    expect(admitted).toBe(60)
    await secondDb.close()
  })

  test('again when the window is over, to the millisecond of its opening', async () => {
    const clock = givenClock()
    const limiter = createRateLimiter(database.db, clock)
    const team = newId()
    expect(await limiter.admit(team, 'send', 2)).toEqual({
      isAdmitted: true,
      limit: 2,
      remaining: 1,
      resetSeconds: 60,
    })
    clock.advance(30_000)
    expect(await limiter.admit(team, 'send', 2)).toEqual({
      isAdmitted: true,
      limit: 2,
      remaining: 0,
      resetSeconds: 30,
    })
    expect(await limiter.admit(team, 'send', 2)).toEqual({
      isAdmitted: false,
      limit: 2,
      remaining: 0,
      resetSeconds: 30,
    })
    clock.advance(29_999)
    expect(await limiter.admit(team, 'send', 2)).toMatchObject({ isAdmitted: false, resetSeconds: 1 })
    clock.advance(1)
    expect(await limiter.admit(team, 'send', 2)).toEqual({
      isAdmitted: true,
      limit: 2,
      remaining: 1,
      resetSeconds: 60,
    })
  })

  test('at once when the plan grows', async () => {
    const limiter = createRateLimiter(database.db, givenClock())
    const team = newId()
    await limiter.admit(team, 'send', 1)
    expect((await limiter.admit(team, 'send', 1)).isAdmitted).toBe(false)
    expect((await limiter.admit(team, 'send', 10)).isAdmitted).toBe(true)
  })

  test('whatever other teams and other counters use up', async () => {
    const limiter = createRateLimiter(database.db, givenClock())
    const [team, other] = [newId(), newId()]
    await limiter.admit(team, 'send', 1)
    expect((await limiter.admit(team, 'send', 1)).isAdmitted).toBe(false)
    expect((await limiter.admit(team, 'general', 1)).isAdmitted).toBe(true)
    expect((await limiter.admit(team, 'validate', 1)).isAdmitted).toBe(true)
    expect((await limiter.admit(other, 'send', 1)).isAdmitted).toBe(true)
  })
})

describe('two clocks', () => {
  test('one window while they differ by seconds', async () => {
    const [fast, slow] = [
      createRateLimiter(database.db, givenClock(5_000)),
      createRateLimiter(database.db, givenClock(0)),
    ]
    const team = newId()
    expect((await fast.admit(team, 'send', 2)).isAdmitted).toBe(true)
    const second = await slow.admit(team, 'send', 2)
    expect(second).toMatchObject({ isAdmitted: true, remaining: 0 })
    expect(second.resetSeconds).toBeLessThanOrEqual(60)
    expect((await fast.admit(team, 'send', 2)).isAdmitted).toBe(false)
  })

  test('no team locked out by a clock that was a day ahead', async () => {
    const team = newId()
    await createRateLimiter(database.db, givenClock(86_400_000)).admit(team, 'send', 1)
    expect((await createRateLimiter(database.db, givenClock(0)).admit(team, 'send', 1)).isAdmitted).toBe(true)
  })
})

test('refused from memory, without a statement, while the window lasts', async () => {
  const db = openDb(database.url, { connectionsMax: 1, timeoutMs: 10_000, name: 'test' })
  const limiter = createRateLimiter(db, givenClock())
  const team = newId()
  await limiter.admit(team, 'send', 1)
  await limiter.admit(team, 'send', 1)
  await db.close()
  expect(await limiter.admit(team, 'send', 1)).toMatchObject({ isAdmitted: false, resetSeconds: 60 })
})

test('DatabaseUnavailable, for all that wait, when requests cannot be counted', async () => {
  const db = openDb('postgres://127.0.0.1:1/none', { connectionsMax: 1, timeoutMs: 500, name: 'test' })
  const limiter = createRateLimiter(db, givenClock())
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => limiter.admit(newId(), 'send', 60)),
  )
  for (const outcome of outcomes) {
    expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(DatabaseUnavailable)
  }
  await db.close()
})
