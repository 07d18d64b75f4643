import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { OverloadedError } from '../lib/async/batcher.ts'
import { type Db, openDb } from './db.ts'
import { createShareDb } from './share-db.ts'

let database: TestDatabase
let pool: Db

beforeAll(async () => {
  database = await createDatabase()
  pool = openDb(database.url, { connectionsMax: 4, timeoutMs: 1500, name: 'test' })
})
afterAll(async () => {
  await pool?.close()
  await database?.drop()
})

test('answered for one team while another fills its share with slow statements, in transactions or not', async () => {
  const share = createShareDb(pool, { places: 4, waitMs: 500 })
  const slow = 'select pg_sleep(0.8)'
  const busy = [
    ...Array.from({ length: 6 }, () => share('a').query(slow)),
    ...Array.from({ length: 6 }, () => share('a').transaction((tx) => tx.query(slow))),
  ].map((statement) => statement.then(() => null).catch((error: unknown) => error))
  let slowDone = 0
  for (const statement of busy) void statement.then((error) => (error === null ? slowDone++ : null))
  expect(await share('b').query('select 1 as one')).toEqual([{ one: 1 }])
  expect(await share('b').transaction((tx) => tx.query('select 2 as two'))).toEqual([{ two: 2 }])
  // The other team's statements still hold their places: it was not by their end that these found one.
  expect(slowDone).toBe(0)
  const outcomes = await Promise.all(busy)
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(2)
  expect(outcomes.filter((outcome) => outcome instanceof OverloadedError)).toHaveLength(10)
  // Nobody waited for a connection, so the database never counted as away.
  expect(await pool.query('select 3 as three')).toEqual([{ three: 3 }])
})
