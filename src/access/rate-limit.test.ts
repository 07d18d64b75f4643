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

/** Returns a clock that only moves when it is set. */
function givenClock(start = Date.UTC(2026, 5, 1)) {
  let at = start
  return {
    now: () => new Date(at),
    advance(ms: number) {
      at += ms
    },
  }
}

describe('admission', () => {
  test('admits exactly 60 of 500 concurrent requests over two processes', async () => {
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

  test('admits exactly 60 of 500 requests in consecutive waves', async () => {
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

  test('admits again when the window ends, to the millisecond', async () => {
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

  test('admits more immediately after an upgrade of the plan', async () => {
    const limiter = createRateLimiter(database.db, givenClock())
    const team = newId()
    await limiter.admit(team, 'send', 1)
    expect((await limiter.admit(team, 'send', 1)).isAdmitted).toBe(false)
    expect((await limiter.admit(team, 'send', 10)).isAdmitted).toBe(true)
  })

  test('admits independently of other teams and other counters', async () => {
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
  test('processes share a window while their clocks differ by seconds', async () => {
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

  test('a clock that was a day ahead does not lock out a team', async () => {
    const team = newId()
    await createRateLimiter(database.db, givenClock(86_400_000)).admit(team, 'send', 1)
    expect((await createRateLimiter(database.db, givenClock(0)).admit(team, 'send', 1)).isAdmitted).toBe(true)
  })
})

test('rejects from memory, without a statement, until the window ends', async () => {
  const db = openDb(database.url, { connectionsMax: 1, timeoutMs: 10_000, name: 'test' })
  const limiter = createRateLimiter(db, givenClock())
  const team = newId()
  await limiter.admit(team, 'send', 1)
  await limiter.admit(team, 'send', 1)
  await db.close()
  expect(await limiter.admit(team, 'send', 1)).toMatchObject({ isAdmitted: false, resetSeconds: 60 })
})

test('DatabaseUnavailable for every waiting request when requests cannot be counted', async () => {
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
