import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenSendingEngine } from '../../../test/support/automation-engine.ts'
import { chainOf, onEvent } from '../../../test/support/automations.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { updateContact } from '../../audience/contacts/contacts.ts'
import { recordEvents } from '../../events/record-queries.ts'
import { newId } from '../../lib/ids.ts'
import { followTeam } from '../following/follow-team.ts'
import { moveRuns } from '../move-runs.ts'
import { retryRun, startByApi } from '../reading/run-verbs.ts'
import { lockAutomationFeed } from '../rows/automation-feed-queries.ts'
import { findMissedEvents } from '../rows/missed-events-queries.ts'
import { deleteRunsOfContacts } from '../rows/runs-of-person-queries.ts'
import { type AutomationRun, lockAutomationRuns } from '../rows/runs-queries.ts'
import { expireAutomationRuns } from '../rows/sweep-automations-queries.ts'
import { Moves } from '../running/moves.ts'
import { workOnTeam } from './work-runs.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

type Engine = Awaited<ReturnType<typeof givenSendingEngine>>

const given = () => givenSendingEngine(database.db)
const COMES = { event_name: 'come' }
const NAMED = ['named', 'contact_update', { first_name: 'Ann' }] as const

/** Takes the steps that are due, although the feed was not followed up to now. */
async function workOnly({ deps, teamId }: Engine): Promise<void> {
  while (await workOnTeam(deps, teamId));
}

async function start(engine: Engine, event = 'go'): Promise<string> {
  const [contactId = ''] = await engine.contacts(1)
  await engine.report(event, contactId)
  return contactId
}

describe('an event that came in time counts, although it is followed after a step is due', () => {
  test('in a digest', async () => {
    const engine = await given()
    await engine.activate(
      chainOf(
        onEvent('go'),
        ['digest', 'digest', { duration: '1 hour' }],
        ['mail', 'send_email', engine.email],
      ),
    )
    const contactId = await start(engine)
    await engine.work()
    await engine.report('go', contactId)
    engine.later(1)
    await workOnly(engine)
    expect((await engine.runs()).map(({ payload }) => payload.digest_count)).toEqual([2])
  })

  test('as an exit before an email', async () => {
    const engine = await given()
    await engine.activate(
      chainOf(onEvent('go'), ['wait', 'delay', { duration: '1 hour' }], ['mail', 'send_email', engine.email]),
      { settings: { exits: [{ event_name: 'paid' }] } },
    )
    const contactId = await start(engine)
    await engine.work()
    await engine.report('paid', contactId)
    engine.later(1)
    await workOnly(engine)
    expect(engine.sent).toEqual([])
    await engine.expectOutcomes({ exited: 1 })
  })

  test('for a wait whose time was over when a late run came to it', async () => {
    const engine = await given()
    const { id } = await engine.activate(
      chainOf(
        onEvent('go'),
        NAMED,
        ['wait', 'wait_for_event', { ...COMES, timeout: '10 minutes' }],
        ['came', 'exit'],
      ),
    )
    const contactId = await start(engine)
    await followTeam(engine.deps, engine.teamId)
    await engine.change(id, { status: 'paused' })
    await engine.report('come', contactId)
    await engine.work()
    await engine.change(id, { status: 'active' })
    engine.later(1)
    await engine.work()
    await engine.expectOutcomes({ exited: 1 })
  })

  test('for a wait behind an email that is too late', async () => {
    const engine = await given()
    await engine.activate(
      chainOf(onEvent('go'), ['mail', 'send_email', engine.email], ['wait', 'wait_for_event', COMES]),
      {
        settings: { max_late: '1 hour' },
      },
    )
    const contactId = await start(engine)
    await followTeam(engine.deps, engine.teamId)
    await engine.report('come', contactId)
    await followTeam(engine.deps, engine.teamId)
    engine.later(2)
    await engine.work()
    expect(engine.sent).toEqual([])
    await engine.expectOutcomes({ completed: 1 })
  })

  test('for a wait, when the feed is followed an hour late', async () => {
    const engine = await given()
    await engine.activate(chainOf(onEvent('go'), NAMED, ['wait', 'wait_for_event', COMES]))
    const contactId = await start(engine)
    await engine.report('come', contactId)
    await followTeam(engine.deps, engine.teamId)
    const [run] = (await engine.runs()) as [AutomationRun]
    // Not by the clock of the engine, because ids are not of the future.
    const late = { ...run, awaits: 'come', startedAt: new Date(Date.now() + 3_600_000) }
    const places = new Map([[late, run.heardUntil]])
    expect(await findMissedEvents(database.db, engine.teamId, places)).toHaveLength(1)
  })

  test('for a wait, behind many that do not fit', async () => {
    const engine = await given()
    const filter = { type: 'rule', field: 'event.no', operator: 'eq', value: 50 }
    await engine.activate(
      chainOf(onEvent('go'), NAMED, ['wait', 'wait_for_event', { ...COMES, filter_rule: filter }]),
    )
    const contactId = await start(engine)
    for (let no = 1; no <= 50; no++) await engine.report('come', contactId, { no })
    await engine.work()
    await engine.expectOutcomes({ completed: 1 })
  })
})

test.each([
  { event: 'paid', outcome: 'exited', count: 0 },
  { event: 'other', outcome: 'completed', count: 1 },
])('a run that failed and is retried after the event $event: $outcome', async ({ event, outcome, count }) => {
  const engine = await given()
  const { id } = await engine.activate(chainOf(onEvent('go'), ['mail', 'send_email', engine.email]), {
    settings: { exits: [{ event_name: 'paid' }] },
  })
  const contactId = await start(engine)
  await followTeam(engine.deps, engine.teamId)
  const acceptEmails: typeof engine.deps.acceptEmails = async (items) => ({
    emailIds: [],
    refused: items.map((_, index) => ({ index, message: 'A variable has no value.' })),
  })
  await workOnTeam({ ...engine.deps, acceptEmails }, engine.teamId)
  await engine.expectOutcomes({ failed: 1 })
  await engine.report(event, contactId)
  await followTeam(engine.deps, engine.teamId)
  const [run] = await engine.runs()
  await database.db.transaction((tx) => retryRun(tx, engine.teamId, id, run?.id ?? '', engine.at()))
  await engine.work()
  await engine.expectOutcomes({ [outcome]: 1 })
  expect(engine.sent).toHaveLength(count)
})

test('a run that was moved to another version goes on by the event for which it waits', async () => {
  const engine = await given()
  const chain = (event: string) => chainOf(onEvent('go'), ['wait', 'wait_for_event', { event_name: event }])
  const { id } = await engine.activate(chain('email.opened'))
  const contactId = await start(engine)
  await engine.work()
  await engine.change(id, chain('come'))
  await database.db.transaction((tx) => moveRuns(tx, engine.teamId, id, { fromVersion: 1, isDryRun: false }))
  const [version] = await database.db.query<{ follows: string[] }>(
    'select follows from automation_version where team_id = $1 and version = 2',
    [engine.teamId],
  )
  expect(version?.follows).toEqual(expect.arrayContaining(['contact.event', 'email.opened']))
  expect(contactId).not.toBe('')
})

test('an event between the start of a run by the API and its commit lets the run go on', async () => {
  const engine = await given()
  const { id } = await engine.activate(
    chainOf(['start', 'trigger', { type: 'api' }], ['wait', 'wait_for_event', COMES]),
  )
  const [contactId = ''] = await engine.contacts(1)
  await database.db.transaction(async (tx) => {
    await startByApi(tx, engine.teamId, id, { contact: { id: contactId }, payload: {} }, engine.at())
    await engine.report('come', contactId)
    await followTeam(engine.deps, engine.teamId)
  })
  await engine.work()
  await engine.expectOutcomes({ completed: 1 })
})

test('a change of an active automation waits for the page that is followed, without a deadlock', async () => {
  const engine = await given()
  const { id } = await engine.activate(chainOf(onEvent('go'), ['end', 'exit']))
  const change = await database.db.transaction(async (tx) => {
    await lockAutomationFeed(tx, engine.teamId, 'wait')
    const changing = engine.change(id, { name: 'B' })
    const isWaiting = () =>
      database.db.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    await expect.poll(async () => (await isWaiting()).length).toBe(1)
    expect(await engine.deps.plans.findActive(tx, engine.teamId)).toHaveLength(1)
    return { changing }
  })
  expect((await change.changing).name).toBe('B')
})

test('an event about an email of the run counts after the address of the contact has changed', async () => {
  const engine = await given()
  const { teamId } = engine
  const waiting = ['clicked', 'wait_for_event', { event_name: 'email.clicked', timeout: '1 day' }] as const
  const mail = ['mail', 'send_email', engine.email] as const
  await engine.activate(chainOf(onEvent('go'), mail, waiting, ['end', 'exit']))
  const contactId = await start(engine)
  await engine.work()
  await updateContact(database.db, teamId, contactId, { email: 'new@x.test' }, engine.at())
  const [sent] = await database.db.query<{ emailId: string }>(
    'select email_id from automation_step_taken where team_id = $1 and email_id is not null',
    [teamId],
  )
  await database.db.transaction(async (tx) => {
    const data = { recipient: engine.sent[0]?.to }
    recordEvents(tx, [{ teamId, subjectId: sent?.emailId ?? '', type: 'email.clicked', data }], engine.at())
  })
  await engine.work()
  await engine.expectOutcomes({ exited: 1 })
})

test('a run that is retried hears what happened to its emails since it failed', async () => {
  const engine = await given()
  const { teamId } = engine
  const mail = ['mail', 'send_email', engine.email] as const
  const set = ['set', 'contact_update', { first_name: { var: 'event.name' } }] as const
  const { id } = await engine.activate(chainOf(onEvent('go'), mail, set), {
    settings: { exits: [{ event_name: 'email.clicked' }] },
  })
  await start(engine)
  await engine.work()
  await engine.expectOutcomes({ failed: 1 })
  const [sent] = await database.db.query<{ runId: string; emailId: string }>(
    'select run_id, email_id from automation_step_taken where team_id = $1 and email_id is not null',
    [teamId],
  )
  const { runId = '', emailId = '' } = sent ?? {}
  engine.later(1)
  await database.db.transaction(async (tx) => {
    const data = { recipient: engine.sent[0]?.to }
    recordEvents(tx, [{ teamId, subjectId: emailId, type: 'email.clicked', data }], engine.at())
  })
  await database.db.transaction((tx) => retryRun(tx, teamId, id, runId, engine.at()))
  await engine.expectOutcomes({ exited: 1 })
})

/** Resolves when a statement waits for a lock. */
const isLocked = () =>
  expect
    .poll(() =>
      database.db.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    )
    .not.toEqual([])

async function givenFailed(engine: Engine) {
  const set = ['set', 'contact_update', { first_name: { var: 'event.name' } }] as const
  const { id } = await engine.activate(chainOf(onEvent('go'), set))
  const contactId = await start(engine)
  await engine.work()
  await engine.expectOutcomes({ failed: 1 })
  const [run] = (await engine.runs()) as [AutomationRun]
  return { id, contactId, run }
}

test('a run that is retried while old runs are deleted stays', async () => {
  const engine = await given()
  const { id, run } = await givenFailed(engine)
  engine.later(1)
  const expiring = await database.db.transaction(async (tx) => {
    await retryRun(tx, engine.teamId, id, run.id, engine.at())
    const deleted = expireAutomationRuns(database.db, engine.teamId, engine.at(), 10)
    await Promise.race([deleted, isLocked()])
    return { deleted }
  })
  expect(await expiring.deleted).toBe(0)
  await engine.expectOutcomes({ active: 1 })
})

test('a step that a run takes while its contact is erased is deleted too', async () => {
  const engine = await given()
  const { id, contactId, run } = await givenFailed(engine)
  const erasing = await database.db.transaction(async (tx) => {
    await retryRun(tx, engine.teamId, id, run.id, engine.at())
    const [reopened] = (await lockAutomationRuns(tx, engine.teamId, [run.id])) as [AutomationRun]
    const moves = new Moves(engine.teamId, engine.at())
    moves.end(reopened, 'canceled', null)
    await moves.save(tx)
    const done = database.db.transaction((other) => deleteRunsOfContacts(other, engine.teamId, [contactId]))
    await isLocked()
    return { done }
  })
  await erasing.done
  expect(
    await database.db.query('select 1 from automation_step_taken where team_id = $1', [engine.teamId]),
  ).toEqual([])
})

test('a run that failed at a wait because automations caused one another waits on when it is retried', async () => {
  const engine = await given()
  const { teamId } = engine
  const wait = ['wait', 'wait_for_event', { event_name: 'contact.updated', timeout: '1 day' }] as const
  const { id } = await engine.activate(chainOf(onEvent('go'), wait, ['end', 'exit']))
  const contactId = await start(engine)
  await engine.work()
  const update = (data: object) =>
    database.db.transaction(async (tx) =>
      recordEvents(tx, [{ teamId, subjectId: contactId, type: 'contact.updated', data }], engine.at()),
    )
  await update({ id: contactId, automation: { id: newId(), run_id: newId(), depth: 5 } })
  await engine.work()
  const [run] = (await engine.runs()) as [AutomationRun]
  expect(run).toMatchObject({ outcome: 'failed', step: 'wait' })
  engine.later(1)
  await database.db.transaction((tx) => retryRun(tx, teamId, id, run.id, engine.at()))
  await engine.work()
  const dueAt = new Date(run.enteredAt.getTime() + 24 * 3_600_000)
  expect(await engine.runs()).toMatchObject([{ state: 'active', awaits: 'contact.updated', dueAt }])
  await update({ id: contactId })
  await engine.work()
  await engine.expectOutcomes({ exited: 1 })
})

test('a run that failed behind a wait whose time was over does not wait again, however often it is retried', async () => {
  const engine = await given()
  const wait = ['wait', 'wait_for_event', { ...COMES, timeout: '1 hour' }] as const
  const set = ['set', 'contact_update', { first_name: { var: 'event.name' } }] as const
  const graph = chainOf(onEvent('go'), wait, set)
  const connections = graph.connections.map((each) =>
    each.to === 'set' ? { ...each, type: 'timeout' } : each,
  )
  const { id } = await engine.activate({ ...graph, connections })
  const contactId = await start(engine)
  await engine.work()
  engine.later(1)
  await engine.work()
  const [run] = (await engine.runs()) as [AutomationRun]
  for (let no = 0; no < 2; no++) {
    await engine.expectOutcomes({ failed: 1 })
    // Too late for the wait, whose timeout was taken.
    await engine.report('come', contactId)
    await followTeam(engine.deps, engine.teamId)
    await database.db.transaction((tx) => retryRun(tx, engine.teamId, id, run.id, engine.at()))
    await engine.expectOutcomes({ active: 1 })
    await engine.work()
  }
  await engine.expectOutcomes({ failed: 1 })
})
