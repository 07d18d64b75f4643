import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenSendingEngine } from '../../test/support/automation-engine.ts'
import { chainOf, onEvent } from '../../test/support/automations.ts'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { Tx } from '../db/db-types.ts'
import { sweepEndedRuns } from '../privacy/retention/sweep-ended-runs.ts'
import { changeAutomation, createAutomation } from './automations.ts'
import { moveRuns } from './move-runs.ts'
import { countRunsOfAutomations } from './reading/run-list-queries.ts'
import { deleteRunsOfContacts, listRunsOfContact } from './rows/runs-of-person-queries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const MEMBER = { mayBeTransactional: false }
const ADMIN = { mayBeTransactional: true }
const REFUSED = 'Only owners and admins'

test('a member cannot let automations send transactional email, but may rename and pause them', async () => {
  const { teamId, email, at } = await givenSendingEngine(database.db)
  const graph = chainOf(onEvent('paid'), ['send', 'send_email', { ...email, class: 'transactional' }])
  const within = <T>(work: Parameters<typeof database.db.transaction<T>>[0]) => database.db.transaction(work)
  const create = (rights: typeof ADMIN, status: 'draft' | 'active') =>
    within((tx) => createAutomation(tx, teamId, { name: 'A', status, ...graph }, rights, at()))
  await expect(create(MEMBER, 'active')).rejects.toThrow(REFUSED)
  await expect(create(MEMBER, 'draft')).rejects.toThrow(REFUSED)
  const { id } = await create(ADMIN, 'active')
  const change = (fields: Parameters<typeof changeAutomation>[3]) =>
    within((tx) => changeAutomation(tx, teamId, id, fields, MEMBER, at()))
  expect(await change({ name: 'B' })).toMatchObject({ name: 'B', version: 1 })
  await expect(change(graph)).rejects.toThrow(REFUSED)
  expect(await change({ status: 'paused' })).toMatchObject({ status: 'paused' })
  await expect(change({ status: 'active' })).rejects.toThrow(REFUSED)
})

const sweep = (now: Date) =>
  sweepEndedRuns({
    db: database.db,
    now,
    periods: { ofTeam: () => ({ emails: 30 }) } as never,
    failingBefore: now,
    isStopping: () => false,
  })

test('runs expire with the emails of their team; that a contact was there does not', async () => {
  const engine = await givenSendingEngine(database.db)
  await engine.activate(chainOf(onEvent('go'), ['end', 'exit', {}]))
  const [id = ''] = await engine.contacts(1)
  await engine.report('go', id)
  await engine.work()
  engine.later(29 * 24)
  expect(await sweep(engine.at())).toBe(0)
  engine.later(3 * 24)
  expect(await sweep(engine.at())).toBe(1)
  expect(await engine.runs()).toEqual([])
  await engine.report('go', id)
  await engine.work()
  expect(await engine.runs()).toEqual([])
})

test('unused old versions are deleted with their figures', async () => {
  const engine = await givenSendingEngine(database.db)
  const { id } = await engine.activate(chainOf(onEvent('go'), ['wait', 'delay', { duration: '60 days' }]))
  const [contactId = ''] = await engine.contacts(1)
  await engine.report('go', contactId)
  await engine.work()
  await database.db.query(
    `insert into automation_version (team_id, automation_id, version, graph, settings, follows, created_at)
     select team_id, automation_id, version + no, graph, settings, follows, created_at
     from automation_version, generate_series(1, 104) as no
     where team_id = $1`,
    [engine.teamId],
  )
  await database.db.query(
    `insert into automation_figure (team_id, automation_id, version, step)
     select team_id, automation_id, version, 'start' from automation_version where team_id = $1
     on conflict do nothing`,
    [engine.teamId],
  )
  await database.db.query('update automation set version = 105 where team_id = $1', [engine.teamId])
  await sweep(engine.at())
  for (const table of ['automation_version', 'automation_figure']) {
    const rows = await database.db.query<{ version: number }>(
      `select distinct version from ${table} where automation_id = $1 order by version limit 3`,
      [id],
    )
    // A run is on version 1, and the newest hundred are from version 6 on.
    expect(rows.map(({ version }) => version)).toEqual([1, 6, 7])
  }
})

test('the export of a person has what a digest has collected so far', async () => {
  const engine = await givenSendingEngine(database.db)
  await engine.activate(chainOf(onEvent('go'), ['digest', 'digest', { duration: '1 day' }], ['end', 'exit']))
  const [id = ''] = await engine.contacts(1)
  await engine.report('go', id, { note: 'a' })
  await engine.report('go', id, { note: 'b' })
  await engine.work()
  const first = '00000000-0000-0000-0000-000000000000'
  expect(await listRunsOfContact(database.db, engine.teamId, id, first, 10)).toMatchObject([
    { collected: { count: 2, events: [{ note: 'a' }, { note: 'b' }] } },
  ])
})

test('deleting the runs of a contact corrects the figures', async () => {
  const engine = await givenSendingEngine(database.db)
  const { id } = await engine.activate(
    chainOf(
      onEvent('go'),
      ['wait', 'wait_for_event', { event_name: 'paid', timeout: '1 day' }],
      ['end', 'exit'],
    ),
  )
  const [waiting = '', ended = '', other = ''] = await engine.contacts(3)
  for (const contactId of [waiting, ended, other]) await engine.report('go', contactId)
  await engine.work()
  await engine.report('paid', ended)
  await engine.work()
  await engine.expectOutcomes({ active: 2, exited: 1 })
  await database.db.transaction((tx) => deleteRunsOfContacts(tx, engine.teamId, [waiting, ended]))
  expect(await engine.runs()).toMatchObject([{ contactId: other }])
  expect(await countRunsOfAutomations(database.db, engine.teamId, [id])).toEqual(
    new Map([[id, { running: 1, failed: 0 }]]),
  )
})

test('moving runs writes figures with the last writes of the transaction', async () => {
  const engine = await givenSendingEngine(database.db)
  const hour = ['delay', { duration: '1 hour' }] as const
  const graph = chainOf(onEvent('go'), ['b', ...hour], ['a', ...hour])
  const { id } = await engine.activate(graph)
  const [first = '', second = ''] = await engine.contacts(2)
  await engine.report('go', first)
  await engine.work()
  engine.later(1)
  await engine.report('go', second)
  await engine.work()
  await engine.change(id, { settings: { max_late: '2 days' } })
  const topics: string[] = []
  await database.db.transaction(async (tx) => {
    const watched: Tx = {
      ...tx,
      writeLast(topic, items, write) {
        topics.push(topic)
        tx.writeLast(topic, items, write)
      },
    }
    await moveRuns(watched, engine.teamId, id, { fromVersion: 1, isDryRun: false })
  })
  expect(topics).toEqual(['automation figures'])
  const figures = await database.db.query(
    `select version, step, entered::int4 from automation_figure where automation_id = $1 and step <> 'start'
     order by version, step`,
    [id],
  )
  expect(figures).toEqual([
    { version: 1, step: 'a', entered: 0 },
    { version: 1, step: 'b', entered: 1 },
    { version: 2, step: 'a', entered: 1 },
    { version: 2, step: 'b', entered: 1 },
  ])
})
