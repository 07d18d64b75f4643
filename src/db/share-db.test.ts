import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { OverloadedError } from '../lib/async/batcher.ts'
import { openDb } from './db.ts'
import type { Db } from './db-types.ts'
import { createShareDb } from './share-db.ts'

let database: TestDatabase
let pool: Db

beforeAll(async () => {
  database = await createDatabase()
  pool = openDb(database.url, { connectionsMax: 4, timeoutMs: 60_000, name: 'test' })
})
afterAll(async () => {
  await pool?.close()
  await database?.drop()
})

test('available for one team while another fills its share with slow statements, in transactions or not', async () => {
  const share = createShareDb(pool, { places: 4, waitMs: 500 })
  const slow = 'select pg_advisory_xact_lock(7004)'
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const holding = database.db.transaction(async (tx) => {
    await tx.query(slow)
    locked()
    await mayEnd
  })
  await isLocked
  const busy = [
    ...Array.from({ length: 6 }, () => share('a').query(slow)),
    ...Array.from({ length: 6 }, () => share('a').transaction((tx) => tx.query(slow))),
  ].map((statement) => statement.then(() => null).catch((error: unknown) => error))
  const over: unknown[] = []
  for (const statement of busy) void statement.then((outcome) => over.push(outcome))
  expect(await share('b').query('select 1 as one')).toEqual([{ one: 1 }])
  expect(await share('b').transaction((tx) => tx.query('select 2 as two'))).toEqual([{ two: 2 }])
  // The other team's statements still hold their places, so these did not depend on their end.
  expect(over).not.toContain(null)
  await expect.poll(() => over).toHaveLength(10)
  end()
  await holding
  const outcomes = await Promise.all(busy)
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(2)
  expect(outcomes.filter((outcome) => outcome instanceof OverloadedError)).toHaveLength(10)
  // No caller waited for a connection, so the database never counted as unavailable.
  expect(await pool.query('select 3 as three')).toEqual([{ three: 3 }])
})
