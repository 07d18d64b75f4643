import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenSendingEngine } from '../../test/support/automation-engine.ts'
import { chainOf, onEvent } from '../../test/support/automations.ts'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { sweepEndedRuns } from '../privacy/retention/sweep-ended-runs.ts'
import { changeAutomation, createAutomation } from './automations.ts'

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

test('runs expire with the emails of their team; that a contact was there does not', async () => {
  const engine = await givenSendingEngine(database.db)
  await engine.activate(chainOf(onEvent('go'), ['end', 'exit', {}]))
  const [id = ''] = await engine.contacts(1)
  await engine.report('go', id)
  await engine.work()
  const sweep = (now: Date) =>
    sweepEndedRuns({
      db: database.db,
      now,
      periods: { ofTeam: () => ({ emails: 30 }) } as never,
      failingBefore: now,
      isStopping: () => false,
    })
  engine.later(29 * 24)
  expect(await sweep(engine.at())).toBe(0)
  engine.later(3 * 24)
  expect(await sweep(engine.at())).toBe(1)
  expect(await engine.runs()).toEqual([])
  await engine.report('go', id)
  await engine.work()
  expect(await engine.runs()).toEqual([])
})
