import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { givenTeamRow, idAt } from '../../../test/support/old-weeks.ts'
import type { Db } from '../../db/db-types.ts'
import { recordEvents } from '../../events/record-queries.ts'
import { createHashAddress } from '../../lib/crypto/erased-address.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { beginErasure } from './begin-erasure.ts'
import { findErasure } from './erasures-queries.ts'
import { runErasure } from './run-erasure.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createDatabase()
  db = database.db
})
afterAll(() => database.drop())

/** Erases an address, with something that happens while it is erased. Returns the pseudonym. */
async function eraseAddress(
  teamId: string,
  address: string,
  meanwhile = () => Promise.resolve(),
): Promise<string> {
  const clockAt = (offsetMs: number) => ({ now: () => new Date(Date.now() + offsetMs) })
  const hashAddress = createHashAddress(Buffer.alloc(32))
  const { id } = await beginErasure(
    { db, clock: clockAt(0), hashAddress },
    { teamId, address, keepSuppressed: false },
  )
  const pseudonym = (await findErasure(db, teamId, id))?.pseudonym ?? ''
  await meanwhile()
  const stopping = new AbortController().signal
  // By then, processes that had read the address have written.
  const run = { db, clock: clockAt(3000), log: createLog('silent'), nodeId: newId(), hashAddress, stopping }
  expect(await runErasure(run, { teamId, id })).toBe(true)
  expect((await findErasure(db, teamId, id))?.finishedAt).toEqual(expect.any(Date))
  return pseudonym
}

/** Inserts what an erasure looks through, each with this value in place of its JSON. */
async function givenJson(teamId: string, value: unknown): Promise<void> {
  const values = [teamId, newId(), JSON.stringify(value)]
  const statements = [
    `insert into automation (team_id, id, name, status, graph, settings, version, created_at, updated_at)
     values ($1, $2, 'Any', 'paused', $3, $3, 1, now(), now())`,
    `insert into automation_version (team_id, automation_id, version, graph, settings, follows, created_at)
     values ($1, $2, 1, $3, $3, '{}', now())`,
    `insert into segment (team_id, id, name, match_type, filters, created_at, updated_at)
     values ($1, $2, 'Any', 'all', $3, now(), now())`,
    `insert into campaign_version (team_id, campaign_id, version, sender, subject, variables, audience, created_at)
     values ($1, $2, 1, 'a@x.test', 'Any', '[]', $3, now())`,
  ]
  for (const statement of statements) await db.query(statement, values)
}

/** Returns the rows of `givenJson`: their values, and what changes whenever they are written. */
const readJson = (teamId: string) =>
  db.query<{ value: unknown; stamp: string }>(
    `select graph as value, xmin::text as stamp from automation where team_id = $1
     union all select settings, xmin::text from automation where team_id = $1
     union all select graph, xmin::text from automation_version where team_id = $1
     union all select settings, xmin::text from automation_version where team_id = $1
     union all select filters, xmin::text from segment where team_id = $1
     union all select audience, xmin::text from campaign_version where team_id = $1`,
    [teamId],
  )

/** A value that has the address behind a line break and a tab, as the name of a field, and alone. */
const naming = (address: string) => ({
  groups: [{ text: `Ask\n${address} or\t${address}`, [address]: true }, address],
})

const ADDRESSES = ['b@y.test', '"b c"@y.test']

test.each(ADDRESSES)('erased wherever JSON has it: %s in rules, segments and audiences', async (address) => {
  const teamId = await givenTeamRow(db)
  await givenJson(teamId, naming(address))
  const pseudonym = await eraseAddress(teamId, address)
  const rows = await readJson(teamId)
  expect(rows.map(({ value }) => value)).toEqual(Array.from({ length: 6 }, () => naming(pseudonym)))
})

test.each(ADDRESSES)('erased behind a line break: %s in an event during the erasure', async (address) => {
  const teamId = await givenTeamRow(db)
  const subjectId = newId()
  const dataOf = (named: string) => ({ recipient: 'c@y.test', response: `550 no such user:\n${named}` })
  const event = { teamId, subjectId, type: 'email.bounced' as const, data: dataOf(address) }
  const pseudonym = await eraseAddress(teamId, address, () =>
    db.transaction(async (tx) => recordEvents(tx, [event], new Date())),
  )
  const events = await db.query('select data from event where team_id = $1 and subject_id = $2', [
    teamId,
    subjectId,
  ])
  expect(events).toEqual([{ data: dataOf(pseudonym) }])
})

test('erased in events during the erasure: what older emails led to; kept: what another person did', async () => {
  const teamId = await givenTeamRow(db)
  const older = newId()
  const email = 'b@y.test'
  const subjectOf = () => idAt(new Date(Date.now() + 60_000))
  await eraseAddress(teamId, email, () => {
    const events = [
      { type: 'contact.unsubscribed' as const, data: { email, email_id: older } },
      { type: 'suppression.removed' as const, data: { email, source_email_id: older } },
      { type: 'contact.unsubscribed' as const, data: { email } },
    ].map((event) => ({ ...event, teamId, subjectId: subjectOf() }))
    return db.transaction(async (tx) => recordEvents(tx, events, new Date()))
  })
  const events = await db.query<{ data: { email: string } }>(
    'select data from event where team_id = $1 order by position',
    [teamId],
  )
  const isErased = events.map(({ data }) => data.email !== email)
  expect(isErased).toEqual([true, true, false])
})

test.each(ADDRESSES)('erased: %s in the call of a webhook by an automation', async (address) => {
  const teamId = await givenTeamRow(db)
  const now = new Date()
  await db.query(
    `insert into webhook_delivery (team_id, webhook_id, id, type, payload, status, tries, created_at, updated_at)
     values ($1, $2, $3, 'automation.step', $4, 'delivered', '[]', $5, $5)`,
    [teamId, newId(), idAt(now), JSON.stringify(naming(address)), now],
  )
  await eraseAddress(teamId, address)
  const calls = await db.query('select payload from webhook_delivery where team_id = $1', [teamId])
  expect(calls).toEqual([{ payload: { erased: true } }])
})

test('not written: rules, segments and audiences that have only a similar address', async () => {
  const teamId = await givenTeamRow(db)
  await givenJson(teamId, naming('mb@y.test'))
  const before = await readJson(teamId)
  await eraseAddress(teamId, 'b@y.test')
  expect(await readJson(teamId)).toEqual(before)
})
