import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveContents } from '../../../test/support/bodies.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { countRows, givenTeamRow, insertOldEmails } from '../../../test/support/old-weeks.ts'
import type { Db } from '../../db/db-types.ts'
import { createHashAddress } from '../../lib/crypto/erased-address.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { beginErasure } from './begin-erasure.ts'
import { findErasure, insertWaitingContents, sweepErasedContents } from './erasures-queries.ts'
import { type ErasureDeps, runErasure } from './run-erasure.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createDatabase()
  db = database.db
})
afterAll(() => database.drop())

const MINUTE_MS = 60_000
/** Returns the dependencies of one process, at a time relative to now. */
const processAt = (offsetMs: number, over: Partial<ErasureDeps> = {}): ErasureDeps => ({
  db,
  clock: { now: () => new Date(Date.now() + offsetMs) },
  log: createLog('silent'),
  nodeId: newId(),
  stopping: new AbortController().signal,
  ...over,
})

/** Starts the erasure of the address that `insertOldEmails` uses. */
async function begin(teamId: string): Promise<{ teamId: string; id: string }> {
  const clock = { now: () => new Date() }
  const wanted = { teamId, address: 'b@y.test', keepSuppressed: false }
  const { id } = await beginErasure({ db, clock, hashAddress: createHashAddress(Buffer.alloc(32)) }, wanted)
  return { teamId, id }
}

const leftOf = async (teamId: string) =>
  (await db.query("select 1 from delivery where team_id = $1 and address_key = 'b@y.test'", [teamId])).length

test('completed by another process after the first was killed in the middle and its lease has expired', async () => {
  const teamId = await givenTeamRow(db)
  await insertOldEmails(db, teamId, 350, { at: new Date() })
  const job = await begin(teamId)
  let left = 2
  const dying: Db = {
    ...db,
    transaction: (work) => (left-- > 0 ? db.transaction(work) : Promise.reject(new Error('killed'))),
  }
  await expect(runErasure(processAt(3000, { db: dying }), job)).rejects.toThrow('killed')
  expect(await leftOf(teamId)).toBe(150)
  expect(await findErasure(db, teamId, job.id)).toMatchObject({ emails: 200, finishedAt: null })

  expect(await runErasure(processAt(30_000), job)).toBe(false)
  expect(await runErasure(processAt(2 * MINUTE_MS), job)).toBe(true)
  expect(await leftOf(teamId)).toBe(0)
  expect(await findErasure(db, teamId, job.id)).toMatchObject({
    address: null,
    emails: 350,
    finishedAt: expect.any(Date),
  })
  const { email, delivery, email_content: contents, email_tag: tags } = await countRows(db, teamId)
  expect({ email, delivery, contents, tags }).toEqual({ email: 350, delivery: 350, contents: 0, tags: 0 })
})

test('released to the next process by a process that stops', async () => {
  const teamId = await givenTeamRow(db)
  await insertOldEmails(db, teamId, 5, { at: new Date() })
  const job = await begin(teamId)
  expect(await runErasure(processAt(3000, { stopping: AbortSignal.abort() }), job)).toBe(true)
  expect(await leftOf(teamId)).toBe(5)
  expect(await runErasure(processAt(4000), job)).toBe(true)
  expect(await leftOf(teamId)).toBe(0)
})

test('running for a minimum time, by which processes that had read the address have written', async () => {
  const teamId = await givenTeamRow(db)
  await insertOldEmails(db, teamId, 1, { at: new Date() })
  const job = await begin(teamId)
  expect(await runErasure(processAt(100), job)).toBe(true)
  await insertOldEmails(db, teamId, 1, { at: new Date(Date.now() - MINUTE_MS) })
  expect(await findErasure(db, teamId, job.id)).toMatchObject({ address: 'b@y.test', finishedAt: null })
  expect(await runErasure(processAt(3000), job)).toBe(true)
  expect(await leftOf(teamId)).toBe(0)
  expect((await findErasure(db, teamId, job.id))?.address).toBeNull()
})

test('kept: emails to the address after the erasure began, and emails of another team', async () => {
  const [teamId, other] = [await givenTeamRow(db), await givenTeamRow(db)]
  const job = await begin(teamId)
  // Other tests of this process may have created ids of the future, which those after them follow.
  const after = new Date(Number.parseInt(job.id.replace('-', '').slice(0, 12), 16) + 1000)
  await insertOldEmails(db, teamId, 2, { at: after })
  await insertOldEmails(db, other, 2, { at: new Date(Date.now() - MINUTE_MS) })
  expect(await runErasure(processAt(5000), job)).toBe(true)
  expect([await leftOf(teamId), await leftOf(other)]).toEqual([2, 2])
})

test('deleted: the content of an erased email that a packer moves at the same moment', async () => {
  const teamId = await givenTeamRow(db)
  const [emailId = ''] = await insertOldEmails(db, teamId, 1, { at: new Date() })
  await db.transaction((tx) => insertWaitingContents(tx, { teamId, id: newId() }, [emailId]))
  let sweep = Promise.resolve(-1)
  await db.transaction(async (tx) => {
    await tx.query('select 1 from email_content where team_id = $1 for update', [teamId])
    sweep = sweepErasedContents(db, 10)
    await expect.poll(() => db.query('select 1 from pg_locks where not granted')).toHaveLength(1)
    await moveContents(tx, teamId)
  })
  expect(await sweep).toBe(1)
  expect(await db.query('select 1 from packed_content where team_id = $1', [teamId])).toEqual([])
})
