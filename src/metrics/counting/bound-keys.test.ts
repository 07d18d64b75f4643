import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { boundKeys, KEYS_MAX, REMAINDER, VALUES_OF_TAG_MAX } from './bound-keys.ts'
import { addMetricCounts, type Dimension, type MetricRow, noCounts } from './metric-counts-queries.ts'

const teamId = '01900000-0000-7000-8000-0000000000a1'
const JANUARY_MS = Date.UTC(2027, 0, 1)
const FEBRUARY_MS = Date.UTC(2027, 1, 1)

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

function row(dimension: Dimension, key: string, sinceMs = JANUARY_MS): MetricRow {
  return {
    teamId,
    grain: 'hour',
    dimension,
    sinceMs,
    key,
    counts: { ...noCounts(), delivered: 1 },
    delays: [1],
  }
}

/** Counts rows as a transaction of the roll-up does. */
async function count(rows: readonly MetricRow[]): Promise<MetricRow[]> {
  const bounded = await boundKeys(database.db, rows)
  await database.db.transaction((tx) =>
    addMetricCounts(
      tx,
      bounded.map((each) => ({ ...each, grain: 'month' })),
    ),
  )
  return bounded
}

test('counted by name up to the limit, then together; a counted name remains, and each month starts anew', async () => {
  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => row('domain', `d${from + index}`))
  await count(many(0, KEYS_MAX - 1))
  const more = await count([...many(KEYS_MAX - 5, KEYS_MAX + 20), row('domain', 'd900', FEBRUARY_MS)])
  const names = more.map(({ key }) => key)
  expect(names).toEqual(['d495', 'd496', 'd497', 'd498', 'd499', REMAINDER, 'd900'])
  const rest = more.find(({ key }) => key === REMAINDER)
  expect([rest?.counts.delivered, rest?.delays]).toEqual([20, [20]])
})

test('counted together beyond the hundredth value of a tag, while other tags are still counted by name', async () => {
  const users = Array.from({ length: VALUES_OF_TAG_MAX + 50 }, (_, index) => row('tag', `user:${index}`))
  const first = await count([...users.slice(0, 60), row('tag', 'kind:news')])
  expect(first).toHaveLength(61)
  const second = await count([...users.slice(60), row('tag', 'kind:bill'), row('provider', 'google')])
  expect(second.filter(({ key }) => key.startsWith('user:'))).toHaveLength(40)
  expect(second.find(({ key }) => key === REMAINDER)?.counts.delivered).toBe(50)
  expect(second.map(({ key }) => key)).toEqual(expect.arrayContaining(['kind:bill', 'google']))
})
