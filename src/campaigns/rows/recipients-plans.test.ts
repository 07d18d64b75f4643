import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { givenTeamRow } from '../../../test/support/old-weeks.ts'
import type { Tx } from '../../db/db-types.ts'
import { newId } from '../../lib/ids.ts'
import { readAudienceContacts } from '../sending/audience-contacts-queries.ts'
import {
  analyzeRecipients,
  lockWaiting,
  pickWaiting,
  recordAccepted,
  recordRefused,
  retryFailed,
} from './recipients-queries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const AUDIENCE_COUNT = 20_000
const BATCH_COUNT = 100
/** Rows of the table that a statement may read for each recipient that it is about: as found, and as changed. */
const READ_MAX = 4

/** Creates a campaign with more recipients than the planner knows of, because no table is analyzed. */
async function given(state: 'waiting' | 'failed') {
  const { db } = database
  const teamId = await givenTeamRow(db)
  const run = { teamId, id: newId(), version: 1 }
  await db.query(
    `with c as (
       insert into campaign (team_id, id, name, status, version, started_at, created_at, updated_at)
       values ($1, $2, 'Spring', 'sending', 1, now(), now(), now())
     ),
     p as (
       insert into campaign_progress (team_id, campaign_id, waiting, failed) values ($1, $2, $3, $3)
     ),
     k as materialized (
       select gen_random_uuid() as id from generate_series(1, $3)
     ),
     n as (
       insert into contact (team_id, id, email, unsubscribed, created_at, updated_at)
       select $1, id, id || '@x.test', false, now(), now() from k
     )
     insert into campaign_recipient (team_id, campaign_id, contact_id, state, updated_at)
     select $1, $2, id, $4, now() from k`,
    [teamId, run.id, AUDIENCE_COUNT, state],
  )
  return run
}

/** Returns how many recipients the transaction has read so far. */
async function countRead(tx: Tx): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int4 as count
     from pg_stat_xact_user_tables
     where relname = 'campaign_recipient'`,
  )
  return rows[0]?.count ?? 0
}

type Run = Awaited<ReturnType<typeof given>>

const STATEMENTS: [string, 'waiting' | 'failed', (tx: Tx, run: Run, ids: string[]) => Promise<unknown>][] = [
  ['reads their contacts', 'waiting', (tx, run, ids) => readAudienceContacts(tx, run, ids, [])],
  ['locks them', 'waiting', lockWaiting],
  [
    'records their emails',
    'waiting',
    (tx, run, ids) => {
      const emails = ids.map((contactId) => ({ contactId, emailId: newId() }))
      return recordAccepted(tx, run, emails, { now: new Date(), pacedUntil: null })
    },
  ],
  [
    'records that they get none',
    'waiting',
    (tx, run, ids) => {
      const refused = ids.map((contactId) => ({ contactId, reason: 'Gone.' }))
      return recordRefused(tx, run, 'skipped', refused, new Date())
    },
  ],
  ['lets them wait again', 'failed', (tx, run) => retryFailed(tx, run, null, BATCH_COUNT, new Date())],
]

test.each(STATEMENTS)(
  'what %s reads only them, however many recipients there are',
  async (_what, state, work) => {
    const run = await given(state)
    await database.db.transaction(async (tx) => {
      const ids = await pickWaiting(tx, run, BATCH_COUNT)
      const before = await countRead(tx)
      await work(tx, run, ids)
      const count = (await countRead(tx)) - before
      expect(count).toBeGreaterThanOrEqual(BATCH_COUNT)
      expect(count).toBeLessThanOrEqual(READ_MAX * BATCH_COUNT)
    })
  },
)

test('what picks them reads only them, although the table was small when it was planned', async () => {
  const { db } = database
  const readers = Promise.withResolvers<void>()
  await db.query('truncate campaign_recipient')
  await db.query('vacuum analyze campaign_recipient', [], { isOneOff: true })
  const none = { teamId: newId(), id: newId() }
  const counts: number[] = []
  const reader = db.transaction(async (tx) => {
    // PostgreSQL keeps the plan of a statement after its fifth execution.
    for (let no = 0; no < 8; no++) await pickWaiting(tx, none, BATCH_COUNT)
    await readers.promise
    for (const work of [() => Promise.resolve(), () => pickWaiting(tx, run, BATCH_COUNT)]) {
      await work()
      counts.push(await countRead(tx))
    }
  })
  const run = await given('waiting')
  await analyzeRecipients(db, AUDIENCE_COUNT)
  readers.resolve()
  await reader
  expect((counts[1] ?? 0) - (counts[0] ?? 0)).toBe(BATCH_COUNT)
})
