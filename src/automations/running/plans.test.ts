import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenEngine } from '../../../test/support/automation-engine.ts'
import { chainOf, onEvent } from '../../../test/support/automations.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { removeAutomation } from '../automations.ts'
import { planKey } from './plans.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

test('a version is read once, and again after its row has changed; not that of a deleted automation', async () => {
  const engine = await givenEngine(database.db)
  const { db, plans } = engine.deps
  const { id, version } = await engine.activate(chainOf(onEvent('go'), ['end', 'exit']))
  const key = { automationId: id, version }
  const find = async () => (await plans.find(db, engine.teamId, [key])).get(planKey(key))
  const first = await find()
  expect(first).toMatchObject({ ...key, settings: { resume_rate: 600 }, follows: ['contact.event'] })
  expect(await find()).toBe(first)

  // As any process may change it.
  await db.query(
    `update automation_version
     set settings = settings || '{"resume_rate": 1}'::jsonb
     where team_id = $1`,
    [engine.teamId],
  )
  const second = await find()
  expect(second).toMatchObject({ ...key, settings: { resume_rate: 1 } })
  expect(await find()).toBe(second)

  await db.transaction((tx) => removeAutomation(tx, engine.teamId, id))
  expect(await find()).toBeUndefined()
})
