import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { releaseProbes, takeProbes, upsertPauses, writeReports } from './sites-queries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const START_MS = Date.parse('2026-11-21T12:00:00Z')
const after = (seconds: number) => new Date(START_MS + seconds * 1000)

async function givenPause(name: string): Promise<void> {
  const pause = { name, state: 'paused', failures: 1, category: 'unreachable', reason: 'Down.' } as const
  await upsertPauses(database.db, [{ ...pause, pausedUntil: after(0), changedAt: after(-30) }])
}

/** A process, which reports itself when it takes a right. */
function givenProcess() {
  const id = randomUUID()
  const report = (at: number) =>
    writeReports(database.db, id, { changed: [], gone: [], closedDomains: [] }, after(at))
  return {
    id,
    report,
    async take(name: string, at: number): Promise<boolean> {
      await report(at)
      const taken = await takeProbes(database.db, [name], id, after(at), after(at + 60), after(at - 30))
      return taken.includes(name)
    },
  }
}

test('claimed by one process, which keeps the right to probe as long as it renews it', async () => {
  await givenPause('kept.test')
  const [one, two] = [givenProcess(), givenProcess()]
  expect(await one.take('kept.test', -1)).toBe(false)
  expect(await one.take('kept.test', 1)).toBe(true)
  expect(await two.take('kept.test', 2)).toBe(false)
  expect(await one.take('kept.test', 31)).toBe(true)
  expect(await two.take('kept.test', 60)).toBe(false)
  await one.report(90)
  expect(await two.take('kept.test', 92)).toBe(true)
})

test('claimed from a killed process as soon as it stops reporting, long before its right expires', async () => {
  await givenPause('dead.test')
  const [one, two, three] = [givenProcess(), givenProcess(), givenProcess()]
  expect(await one.take('dead.test', 1)).toBe(true)
  await one.report(10)
  expect(await two.take('dead.test', 39)).toBe(false)
  expect(await two.take('dead.test', 41)).toBe(true)
  expect(await three.take('dead.test', 42)).toBe(false)
  expect(await one.take('dead.test', 43)).toBe(false)
})

test('claimed immediately after its holder released it', async () => {
  await givenPause('left.test')
  const [one, two] = [givenProcess(), givenProcess()]
  expect(await one.take('left.test', 1)).toBe(true)
  await releaseProbes(database.db, one.id)
  expect(await two.take('left.test', 2)).toBe(true)
})
