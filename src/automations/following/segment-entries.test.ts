import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenSendingEngine } from '../../../test/support/automation-engine.ts'
import { chainOf } from '../../../test/support/automations.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import type { ContactCause } from '../../audience/contacts/contact-events.ts'
import { updateContact } from '../../audience/contacts/contacts.ts'
import { changeSegment, createSegment, type SegmentInput } from '../../audience/segments/segments.ts'
import { newId } from '../../lib/ids.ts'
import { DEPTH_MAX } from './begin-runs.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

type Condition = SegmentInput['groups'][number]['conditions'][number]

const groupsOf = (...conditions: Condition[]) => [{ conditions }]
const isVip: Condition = { field: 'first_name', operator: 'equals', value: 'Vip' }

/** An engine with a segment, by default of contacts called Vip. */
async function given(...conditions: Condition[]) {
  const engine = await givenSendingEngine(database.db)
  const { teamId } = engine
  const groups = groupsOf(...(conditions.length === 0 ? [isVip] : conditions))
  const segment = await database.db.transaction((tx) =>
    createSegment(tx, teamId, { name: 'S', matchType: 'all', groups }, engine.at()),
  )
  return {
    ...engine,
    segmentId: segment.id,
    /** Activates an automation that begins with the segment. */
    begin: () =>
      engine.activate(
        chainOf(['start', 'trigger', { type: 'segment_entered', segment_id: segment.id }], ['end', 'exit']),
      ),
    rename: (id: string, firstName: string | null, cause: ContactCause = {}) =>
      updateContact(database.db, teamId, id, { firstName }, engine.at(), cause),
    edit: (changes: Partial<SegmentInput>) =>
      database.db.transaction((tx) => changeSegment(tx, teamId, segment.id, changes, engine.at())),
  }
}

const QUIET: ContactCause = { import: { id: newId(), runs_automations: false } }

test('an import does not keep a contact from entering that another event of the page brought in', async () => {
  const engine = await given()
  await engine.begin()
  const [first = '', second = ''] = await engine.contacts(2)
  await engine.rename(first, 'Vip')
  await engine.rename(first, 'Vip', QUIET)
  await engine.rename(second, 'Vip', QUIET)
  await engine.rename(second, 'Vip')
  await engine.work()
  await engine.expectOutcomes({ exited: 2 })
})

test('an import alone lets no contact enter, nor does a later event', async () => {
  const engine = await given()
  await engine.begin()
  const [id = ''] = await engine.contacts(1)
  await engine.rename(id, 'Vip', QUIET)
  await engine.work()
  await engine.rename(id, 'Vip')
  await engine.work()
  await engine.expectOutcomes({})
})

test('an event from before the activation does not hide the entry behind it', async () => {
  const engine = await given()
  const [id = ''] = await engine.contacts(1)
  await engine.begin()
  const activeAt = engine.at()
  engine.to(new Date(activeAt.getTime() - 1))
  await engine.rename(id, 'Vip')
  engine.to(activeAt)
  await engine.work()
  await engine.expectOutcomes({})
  await engine.rename(id, null)
  await engine.work()
  await engine.rename(id, 'Vip')
  engine.to(new Date(activeAt.getTime() - 1))
  await engine.rename(id, 'Vip')
  engine.to(activeAt)
  await engine.work()
  await engine.expectOutcomes({ exited: 1 })
})

test('an entry is as deep as the deepest event that may have caused it', async () => {
  const engine = await given()
  await engine.begin()
  const [id = ''] = await engine.contacts(1)
  const automationId = newId()
  await engine.rename(id, 'Vip')
  await engine.rename(id, 'Vip', { automation: { id: automationId, run_id: newId(), depth: DEPTH_MAX } })
  await engine.rename(id, 'Vip')
  await engine.work()
  const [run] = await engine.runs()
  expect(run).toMatchObject({ outcome: 'failed', cause: { automation_id: automationId } })
})

test('a contact that leaves within the page has not entered', async () => {
  const engine = await given()
  await engine.begin()
  const [id = ''] = await engine.contacts(1)
  await engine.rename(id, 'Vip')
  await engine.rename(id, null)
  await engine.work()
  await engine.expectOutcomes({})
})
