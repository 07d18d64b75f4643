import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHashAddress } from '../../src/lib/crypto/erased-address.ts'
import { newId } from '../../src/lib/ids.ts'
import { createLog } from '../../src/lib/log.ts'
import { beginErasure } from '../../src/privacy/erasure/begin-erasure.ts'
import { exportPerson } from '../../src/privacy/erasure/export-person.ts'
import { runErasure } from '../../src/privacy/erasure/run-erasure.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { countRows, givenTeamRow, insertOldEmails } from '../support/old-weeks.ts'

const EMAILS = 100_000
const MEGABYTE = 1024 * 1024
let database: TestDatabase
const hashAddress = createHashAddress(Buffer.alloc(32))

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const printProgress = (text: string) => process.stderr.write(`${text}\n`)

test('100,000 emails to one address are exported and erased in batches, in bounded memory, during other writes', async () => {
  const { db } = database
  const teamId = await givenTeamRow(db)
  for (let at = 0; at < EMAILS; at += 1000) {
    await insertOldEmails(db, teamId, 1000, { at: new Date(), bytes: 2000 })
  }
  await db.query('analyze')
  const clock = { now: () => new Date() }

  const before = process.memoryUsage().rss
  let peak = before
  let count = 0
  let startMs = performance.now()
  const inTurn = <T>(_: number, read: () => Promise<T>) => read()
  const readBody = () => Promise.reject(new Error('nothing is in a pack'))
  for await (const chunk of exportPerson(
    { db, readBody, hashAddress, inTurn },
    teamId,
    'b@y.test',
    new Date(),
  )) {
    if (chunk.includes('"message_id"')) count++
    peak = Math.max(peak, process.memoryUsage().rss)
  }
  printProgress(
    `exported ${count} emails in ${Math.round(performance.now() - startMs)} ms, ${Math.round((peak - before) / MEGABYTE)} MB more`,
  )
  expect(count).toBe(EMAILS)
  expect(peak - before).toBeLessThan(300 * MEGABYTE)

  startMs = performance.now()
  const { id } = await beginErasure(
    { db, clock, hashAddress },
    { teamId, address: 'b@y.test', keepSuppressed: false },
  )
  printProgress(`begun in ${Math.round(performance.now() - startMs)} ms`)
  startMs = performance.now()
  let isOver = false
  let slowestMs = 0
  const writing = (async () => {
    while (!isOver) {
      const oneMs = performance.now()
      await insertOldEmails(db, teamId, 1, { at: new Date() })
      slowestMs = Math.max(slowestMs, performance.now() - oneMs)
    }
  })()
  const job = { teamId, id }
  const stopping = new AbortController().signal
  const deps = { db, clock, log: createLog('warn'), nodeId: newId(), hashAddress, stopping }
  await runErasure(deps, job)
  isOver = true
  await writing
  printProgress(
    `erased in ${Math.round(performance.now() - startMs)} ms; the slowest write beside it took ${Math.round(slowestMs)} ms`,
  )
  const left = await db.query(
    "select 1 from delivery where team_id = $1 and address_key = 'b@y.test' and email_id < $2 limit 1",
    [teamId, id],
  )
  expect(left).toEqual([])
  expect((await countRows(db, teamId)).email).toBeGreaterThan(EMAILS)
}, 900_000)
