import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenEngine } from '../../../test/support/automation-engine.ts'
import { chainOf, onEvent } from '../../../test/support/automations.ts'
import { moveContents } from '../../../test/support/bodies.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { countRows, givenTeamRow, idAt, insertOldEmails } from '../../../test/support/old-weeks.ts'
import { findTexts } from '../../../test/support/personal-data.ts'
import { DEFAULT_SETTINGS } from '../../automations/graph/graph-types.ts'
import { findAutomation } from '../../automations/rows/automations-queries.ts'
import { findAutomationVersions } from '../../automations/rows/versions-queries.ts'
import type { Db } from '../../db/db-types.ts'
import { recordEvents } from '../../events/record-queries.ts'
import { createHashAddress } from '../../lib/crypto/erased-address.ts'
import { newId, timeOfId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { COUNTERS } from '../../metrics/counting/metric-counts-queries.ts'
import { beginErasure } from './begin-erasure.ts'
import { ErasureLost } from './erase-emails.ts'
import { eraseLateEvents } from './erase-traces.ts'
import {
  claimErasure,
  findErasure,
  insertWaitingContents,
  type OpenErasure,
  sweepErasedContents,
} from './erasures-queries.ts'
import { createPerson } from './person.ts'
import { type ErasureDeps, runErasure } from './run-erasure.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createDatabase()
  db = database.db
})
afterAll(() => database.drop())

const MINUTE_MS = 60_000
const hashAddress = createHashAddress(Buffer.alloc(32))
/** Returns the dependencies of one process, at a time relative to now. */
const processAt = (offsetMs: number, over: Partial<ErasureDeps> = {}): ErasureDeps => ({
  db,
  clock: { now: () => new Date(Date.now() + offsetMs) },
  log: createLog('silent'),
  nodeId: newId(),
  hashAddress,
  stopping: new AbortController().signal,
  ...over,
})

/** Starts the erasure of an address, by default of the one that `insertOldEmails` uses. */
async function begin(teamId: string, address = 'b@y.test'): Promise<{ teamId: string; id: string }> {
  const clock = { now: () => new Date() }
  const wanted = { teamId, address, keepSuppressed: false }
  const { id } = await beginErasure({ db, clock, hashAddress }, wanted)
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

test('noticed while events are looked through, few of which name the person: another process has taken over', async () => {
  const teamId = await givenTeamRow(db)
  const { id } = await begin(teamId)
  const event = { teamId, subjectId: newId(), type: 'email.queued' as const, data: {} }
  await db.transaction(async (tx) => recordEvents(tx, [event], new Date()))
  const holder = (offsetMs: number) => {
    const now = new Date(Date.now() + offsetMs)
    return { nodeId: newId(), now, until: new Date(now.getTime() + MINUTE_MS) }
  }
  const first = holder(0)
  const job = (await claimErasure(db, first, { teamId, id })) as OpenErasure
  const look = () => eraseLateEvents(db, job, createPerson(job), () => first)
  await expect(look()).resolves.toBeUndefined()
  await claimErasure(db, holder(2 * MINUTE_MS), { teamId, id })
  await expect(look()).rejects.toThrow(ErasureLost)
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

test('erased: a contact and emails to and from a person whose ids are of a clock that is ahead', async () => {
  const [teamId, sender] = [await givenTeamRow(db), await givenTeamRow(db)]
  const ahead = new Date(Date.now() + 5 * MINUTE_MS)
  const contactId = idAt(ahead)
  await db.query(
    `insert into contact (team_id, id, email, first_name, unsubscribed, created_at, updated_at)
     values ($1, $2, 'b@y.test', 'Early', false, $3, $3)`,
    [teamId, contactId, ahead],
  )
  const data = { id: contactId, email: 'b@y.test', first_name: 'Early' }
  const event = { teamId, subjectId: contactId, type: 'contact.created' as const, data }
  await db.transaction(async (tx) => recordEvents(tx, [event], new Date()))
  for (const owner of [teamId, sender]) await insertOldEmails(db, owner, 2, { at: ahead })

  const before = newId()
  const jobs = [await begin(teamId), await begin(sender, 'a@x.test')]
  for (const job of jobs) {
    expect(await runErasure(processAt(3000), job)).toBe(true)
    expect(await findErasure(db, job.teamId, job.id)).toMatchObject({ address: null, emails: 2 })
  }
  expect(await findTexts(db, ['Early'])).toEqual([])
  // Later ids of this process do not follow that clock.
  expect(timeOfId(newId())).toBeLessThan(timeOfId(before) + MINUTE_MS)
})

test('waiting for the last recipient of one email in the erasures of two others, then completed', async () => {
  const teamId = await givenTeamRow(db)
  const [emailId = ''] = await insertOldEmails(db, teamId, 1, { at: new Date() })
  await db.query(
    `insert into delivery (team_id, email_id, no, kind, address, address_key, domain, status, ready, due_at, attempts,
       expires_at, updated_at)
     select $1, $2, r.no, 'to', r.address, r.address, 'y.test', r.status, false, r.due_at, 1, $3, $3
     from (values (1, 'c@y.test', 'delivered', null::timestamptz),
         (2, 'd@y.test', 'delivery_delayed', $3::timestamptz)) as r (no, address, status, due_at)`,
    [teamId, emailId, new Date(Date.now() + 60 * MINUTE_MS)],
  )
  const jobs = [await begin(teamId), await begin(teamId, 'c@y.test')]
  for (const job of jobs) expect(await runErasure(processAt(3000), job)).toBe(true)
  const readAll = () => Promise.all(jobs.map(({ id }) => findErasure(db, teamId, id)))
  const waiting = { emails: 1, waiting: 1, finishedAt: expect.any(Date) }
  expect(await readAll()).toMatchObject([waiting, waiting])
  expect(await sweepErasedContents(db, 10)).toBe(0)
  expect((await countRows(db, teamId)).email_content).toBe(1)

  await db.query("update delivery set status = 'delivered', due_at = null where team_id = $1 and no = 2", [
    teamId,
  ])
  expect(await sweepErasedContents(db, 10)).toBe(2)
  expect(await readAll()).toMatchObject([{ waiting: 0 }, { waiting: 0 }])
  expect((await countRows(db, teamId)).email_content).toBe(0)
})

test('erased wholly: an email with more events than one page', async () => {
  const teamId = await givenTeamRow(db)
  const ids = await insertOldEmails(db, teamId, 2, { at: new Date() })
  const [emailId = ''] = ids
  const opens = Array.from({ length: 1_203 }, () => ({
    teamId,
    subjectId: emailId,
    type: 'email.opened' as const,
    data: {
      recipient: 'b@y.test',
      ip_address: '192.0.2.1',
      user_agent: 'Reader of b@y.test',
      is_machine: false,
    },
  }))
  await db.transaction(async (tx) => recordEvents(tx, opens, new Date()))
  const job = await begin(teamId)
  expect(await runErasure(processAt(3000), job)).toBe(true)
  expect((await countRows(db, teamId)).event).toBe(1_205)
  const left = await db.query(
    `select id
     from event
     where team_id = $1 and (data::text like '%b@y.test%' or data::text like '%192.0.2.1%')`,
    [teamId],
  )
  expect(left).toEqual([])
})

test('counted under the pseudonym: what the person sent, merged with what was counted under it before', async () => {
  const teamId = await givenTeamRow(db)
  const job = await begin(teamId)
  const pseudonym = (await findErasure(db, teamId, job.id))?.pseudonym ?? ''
  const rows = [
    { dimension: 'sender', key: 'b@y.test', delays: '{1,2}' },
    { dimension: 'sender', key: pseudonym, delays: '{0,1,5}' },
    { dimension: 'sender', key: 'other@y.test', delays: '{3}' },
    { dimension: 'sender_simulated', key: 'b@y.test', delays: '{4}' },
  ]
  for (const { dimension, key, delays } of rows) {
    const place = [teamId, dimension, new Date(Date.UTC(2026, 0, 1, 10)), key]
    await db.query(
      `insert into metric (team_id, grain, dimension, since, key, ${COUNTERS.join(', ')})
       values ($1, 'hour', $2, $3, $4, ${COUNTERS.map((_, index) => index + 1).join(', ')})`,
      place,
    )
    await db.query(
      `insert into metric_delay (team_id, grain, dimension, since, key, counts)
       values ($1, 'hour', $2, $3, $4, $5::text::int8[])`,
      [...place, delays],
    )
  }
  expect(await runErasure(processAt(3000), job)).toBe(true)
  const counted = await db.query(
    `select m.dimension, m.key, m.emails::int4 as emails, m.clicked_machine::int4 as clicked_machine,
       d.counts::text as delays
     from metric m
     full join metric_delay d using (team_id, grain, dimension, since, key)
     where team_id = $1
     order by m.dimension, d.counts`,
    [teamId],
  )
  const last = COUNTERS.length
  expect(counted).toEqual([
    { dimension: 'sender', key: pseudonym, emails: 2, clickedMachine: 2 * last, delays: '{1,3,5}' },
    { dimension: 'sender', key: 'other@y.test', emails: 1, clickedMachine: last, delays: '{3}' },
    { dimension: 'sender_simulated', key: pseudonym, emails: 1, clickedMachine: last, delays: '{4}' },
  ])
})

test('erased from the rules of automations, of their settings and of their versions', async () => {
  const [teamId, other] = [await givenTeamRow(db), await givenTeamRow(db)]
  const rule = (value: string) => ({ type: 'rule', field: 'contact.email', operator: 'eq', value })
  const graph = {
    steps: [
      {
        key: 'trigger',
        type: 'trigger',
        config: { type: 'event', event_name: 'any', filter_rule: rule('b@y.test') },
      },
    ],
    connections: [],
  }
  const settings = { ...DEFAULT_SETTINGS, exits: [{ event_name: 'any', filter_rule: rule('B@Y.test') }] }
  for (const owner of [teamId, other]) {
    const values = [owner, newId(), JSON.stringify(graph), JSON.stringify(settings)]
    await db.query(
      `insert into automation (team_id, id, name, status, graph, settings, version, created_at, updated_at)
       values ($1, $2, 'Any', 'paused', $3, $4, 1, now(), now())`,
      values,
    )
    await db.query(
      `insert into automation_version (team_id, automation_id, version, graph, settings, follows, created_at)
       values ($1, $2, 1, $3, $4, '{}', now())`,
      values,
    )
  }
  const job = await begin(teamId)
  const pseudonym = (await findErasure(db, teamId, job.id))?.pseudonym ?? ''
  expect(await runErasure(processAt(3000), job)).toBe(true)
  const textsOf = (owner: string) =>
    db.query<{ text: string }>(
      `select graph::text || settings::text as text from automation where team_id = $1
       union all select graph::text || settings::text from automation_version where team_id = $1`,
      [owner],
    )
  const erased = await textsOf(teamId)
  expect(erased).toHaveLength(2)
  for (const { text } of erased) {
    expect(text.toLowerCase()).not.toContain('b@y.test')
    expect(text.split(pseudonym)).toHaveLength(3)
  }
  for (const { text } of await textsOf(other)) expect(text.toLowerCase().split('b@y.test')).toHaveLength(3)
})

/** Erases the person by a clock that is `ms` ahead. Returns the pseudonym. */
async function eraseAt(ms: number, teamId: string): Promise<string> {
  const job = await begin(teamId)
  expect(await runErasure(processAt(ms), job)).toBe(true)
  return (await findErasure(db, teamId, job.id))?.pseudonym ?? ''
}

test('erased from the rules of an active automation, whose runs go on, and which begins others', async () => {
  const engine = await givenEngine(db)
  const { teamId } = engine
  const isOther = { type: 'rule', field: 'contact.email', operator: 'neq', value: 'b@y.test' }
  const { id, activeSince } = await engine.activate(
    chainOf(
      onEvent('go', { filter_rule: isOther }),
      ['wait', 'delay', { duration: '1 hour' }],
      ['other', 'condition', isOther],
      ['end', 'exit'],
    ),
  )
  const [early = '', late = ''] = await engine.contacts(2)
  await engine.report('go', early)
  await engine.work()
  const pseudonym = await eraseAt(3000, teamId)

  const automation = await findAutomation(db, teamId, id)
  expect(automation).toMatchObject({ status: 'active', version: 1, activeSince })
  const graph = JSON.stringify(automation?.graph)
  expect(graph).not.toContain('b@y.test')
  expect(graph.split(pseudonym)).toHaveLength(3)
  // Otherwise its next change would make a new version.
  const versions = await findAutomationVersions(db, teamId, [{ automationId: id, version: 1 }])
  expect(versions).toMatchObject([{ graph: automation?.graph }])

  await engine.report('go', late)
  await engine.work()
  await engine.expectOutcomes({ active: 2 })
  engine.later(1)
  await engine.work()
  await engine.expectOutcomes({ exited: 2 })
})

test('no longer said by steps of an automation that the process followed before the erasure', async () => {
  const engine = await givenEngine(db)
  const { teamId } = engine
  await engine.activate(
    chainOf(
      onEvent('go'),
      ['wait', 'delay', { duration: '1 hour' }],
      ['note', 'contact_update', { last_name: 'Friend of b@y.test' }],
      ['end', 'exit'],
    ),
  )
  const [early = '', late = ''] = await engine.contacts(2)
  await engine.report('go', early)
  await engine.work()
  const pseudonym = await eraseAt(3000, teamId)
  await engine.report('go', late)
  await engine.work()
  engine.later(1)
  await engine.work()
  await engine.expectOutcomes({ exited: 2 })
  const contacts = await db.query('select last_name from contact where team_id = $1', [teamId])
  const lastName = `Friend of ${pseudonym}`
  expect(contacts).toEqual([{ lastName }, { lastName }])
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
