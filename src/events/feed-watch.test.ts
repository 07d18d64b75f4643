import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { Queryable } from '../db/db-types.ts'
import { newId } from '../lib/ids.ts'
import { createLog } from '../lib/log.ts'
import { FeedWatch } from './feed-watch.ts'
import { recordEvents } from './record-queries.ts'

let database: TestDatabase
let looks: number
beforeAll(async () => {
  database = await createDatabase()
})
beforeEach(() => {
  looks = 0
})
afterAll(() => database?.drop())

const TIMEOUT_MS = 20_000
const NEVER = new AbortController().signal

/** Opens a watch that the test notifies. */
function openWatch(query: Queryable['query'] = (...given) => database.db.query(...given)) {
  const wakes = new Set<() => void>()
  const watch = new FeedWatch({
    db: {
      query(...given) {
        looks++
        return query(...given)
      },
    },
    wake: {
      subscribe(wake) {
        wakes.add(wake)
        return () => wakes.delete(wake)
      },
    },
    log: createLog('silent'),
  })
  onTestFinished(() => watch.stop())
  return { watch, hint: () => wakes.forEach((wake) => void wake()) }
}

const record = (teamIds: readonly string[]) =>
  database.db.transaction(async (tx) =>
    recordEvents(
      tx,
      teamIds.map((teamId) => ({ teamId, subjectId: teamId, type: 'contact.created', data: {} })),
      new Date(),
    ),
  )

test('true immediately for a wait before existing events', async () => {
  const teamId = newId()
  await record([teamId])
  const { watch } = openWatch()
  expect(await watch.waitPast(teamId, 0, { timeoutMs: TIMEOUT_MS, signal: NEVER })).toBe(true)
})

test('true for all teams with new events, with one statement, however many notifications arrive', async () => {
  const teamIds = Array.from({ length: 200 }, () => newId())
  const { watch, hint } = openWatch()
  const waits = teamIds.map((id) => watch.waitPast(id, 0, { timeoutMs: TIMEOUT_MS, signal: NEVER }))
  await expect.poll(() => looks).toBeGreaterThan(0)
  await record(teamIds.slice(1))
  const before = looks
  for (let count = 0; count < 500; count++) hint()
  expect(await Promise.all(waits.slice(1))).toEqual(waits.slice(1).map(() => true))
  expect(looks - before).toBeLessThanOrEqual(3)
  watch.stop()
  expect(await waits[0]).toBe(false)
})

test('true soon even without a notification, and after a failed scan', async () => {
  const teamId = newId()
  let failures = 1
  const { watch } = openWatch((...given) =>
    failures-- > 0 ? Promise.reject(new Error('away')) : database.db.query(...given),
  )
  const wait = watch.waitPast(teamId, 0, { timeoutMs: TIMEOUT_MS, signal: NEVER })
  await record([teamId])
  expect(await wait).toBe(true)
})

test('false when the time is over, the waiter leaves, or the process stops', async () => {
  const { watch } = openWatch()
  const gone = new AbortController()
  expect(await watch.waitPast(newId(), 0, { timeoutMs: 10, signal: NEVER })).toBe(false)
  const wait = watch.waitPast(newId(), 0, { timeoutMs: TIMEOUT_MS, signal: gone.signal })
  gone.abort()
  expect(await wait).toBe(false)
  expect(await watch.waitPast(newId(), 0, { timeoutMs: TIMEOUT_MS, signal: gone.signal })).toBe(false)
  watch.stop()
  expect(await watch.waitPast(newId(), 0, { timeoutMs: TIMEOUT_MS, signal: NEVER })).toBe(false)
})
