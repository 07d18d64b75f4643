import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../test/support/database.ts'
import { givenTeamRow } from '../../test/support/old-weeks.ts'
import { applyMigrations, listMigrations } from '../db/migrations/migrate.ts'
import { newId } from '../lib/ids.ts'
import { listStoppedAutomations } from '../metrics/alerts/alerts-queries.ts'
import { readGraph } from './graph/read-graph.ts'
import { findAutomation } from './rows/automations-queries.ts'

/** Automations as versions stored them that ran none. */
let database: TestDatabase
beforeAll(async () => {
  database = await createEmptyDatabase()
})
afterAll(() => database.drop())

const FIRST = '0052'

test('become chains; active ones wait for somebody, and an alert says so', async () => {
  const { db } = database
  const all = await listMigrations()
  const before = all.filter((name) => name < FIRST)
  await applyMigrations(db, before, new Date())
  const [teamId, active, draft, empty] = [await givenTeamRow(db), newId(), newId(), newId()]
  const [listId, segmentId, templateId] = [newId(), newId(), newId()]
  const steps = [
    { type: 'send_email', template_id: templateId, subject: 'Hi' },
    { type: 'wait', seconds: 3600 },
    { type: 'condition', segment_id: segmentId },
    { type: 'update_contact', unsubscribed: true },
    { type: 'add_to_list', list_id: listId },
  ]
  for (const [id, status, trigger, flat] of [
    [active, 'active', { type: 'list_joined', list_id: listId }, steps],
    [draft, 'draft', null, steps.slice(0, 2)],
    [empty, 'paused', null, []],
  ] as const) {
    await db.query(
      `insert into automation (team_id, id, name, status, begins_on, steps, created_at, updated_at)
       values ($1, $2, 'A', $3, $4, $5, $6, $6)`,
      [teamId, id, status, trigger && JSON.stringify(trigger), JSON.stringify(flat), new Date()],
    )
  }
  await applyMigrations(db, all, new Date())

  const chain = await findAutomation(db, teamId, active)
  expect(chain).toMatchObject({ status: 'paused', pausedReason: 'upgraded', version: 0 })
  expect(chain?.graph).toEqual({
    steps: [
      { key: 'trigger', type: 'trigger', config: { type: 'list_joined', list_id: listId } },
      { key: 'step_1', type: 'send_email', config: { template: { id: templateId }, subject: 'Hi' } },
      { key: 'step_2', type: 'delay', config: { duration: '3600 seconds' } },
      { key: 'step_3', type: 'condition', config: { type: 'segment', segment_id: segmentId } },
      { key: 'step_4', type: 'contact_update', config: { unsubscribed: true } },
      { key: 'step_5', type: 'add_to_list', config: { list_id: listId } },
    ],
    connections: [
      { from: 'trigger', to: 'step_1', type: 'default' },
      { from: 'step_1', to: 'step_2', type: 'default' },
      { from: 'step_2', to: 'step_3', type: 'default' },
      { from: 'step_3', to: 'step_4', type: 'condition_met' },
      { from: 'step_4', to: 'step_5', type: 'default' },
    ],
  })
  // It can be resumed as it is.
  if (chain !== null) expect(readGraph({}, true, chain).problems.toErrors()).toEqual({})
  expect(await listStoppedAutomations(db, teamId)).toMatchObject([{ id: active, reason: 'upgraded' }])
  expect(await findAutomation(db, teamId, draft)).toMatchObject({ status: 'draft', pausedReason: null })
  expect((await findAutomation(db, teamId, empty))?.graph).toEqual({ steps: [], connections: [] })
})
