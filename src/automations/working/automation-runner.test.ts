import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenSendingEngine } from '../../../test/support/automation-engine.ts'
import { chainOf, onEvent } from '../../../test/support/automations.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { followTeam } from '../following/follow-team.ts'
import { startAutomationRunner } from './automation-runner.ts'
import { workOnTeam } from './work-runs.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

type Engine = Awaited<ReturnType<typeof givenSendingEngine>>

async function givenContact(engine: Engine): Promise<string> {
  await engine.activate(
    chainOf(onEvent('go'), ['first', 'send_email', engine.email], ['second', 'send_email', engine.email]),
    { settings: { reentry: 'every_time' } },
  )
  const [id = ''] = await engine.contacts(1)
  return id
}

async function expectThreeRuns(engine: Engine, id: string): Promise<void> {
  for (let count = 1; count <= 3; count++) {
    await engine.report('go', id)
    await expect.poll(() => engine.sent.length, { timeout: 10_000 }).toBe(2 * count)
    await expect
      .poll(() => engine.runs().then((runs) => runs.every(({ state }) => state === 'ended')))
      .toBe(true)
  }
}

test('a team whose feed takes long to follow does not keep another one waiting', async () => {
  const slow = await givenSendingEngine(database.db)
  const quick = await givenSendingEngine(database.db)
  await slow.report('go', await givenContact(slow))
  const id = await givenContact(quick)
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: lock } = Promise.withResolvers<void>()
  const holding = database.db.transaction(async (tx) => {
    await tx.query('select 1 from automation where team_id = $1 for update', [slow.teamId])
    lock()
    await isReleased
  })
  await isLocked
  const runner = startAutomationRunner({ ...quick.deps, subscribe: () => () => {} })
  try {
    await expectThreeRuns(quick, id)
    expect(await slow.runs()).toEqual([])
    release()
    await holding
    await expect.poll(() => slow.runs()).toHaveLength(1)
  } finally {
    release()
    await runner.stop()
  }
})

test('a team whose steps take long does not keep another one waiting', async () => {
  const slow = await givenSendingEngine(database.db)
  const quick = await givenSendingEngine(database.db)
  await slow.report('go', await givenContact(slow))
  const id = await givenContact(quick)
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const { promise: isHanging, resolve: hang } = Promise.withResolvers<void>()
  const acceptEmails: Engine['deps']['acceptEmails'] = async (...given) => {
    if (given[2].teamId === quick.teamId) return quick.deps.acceptEmails(...given)
    hang()
    await isReleased
    return slow.deps.acceptEmails(...given)
  }
  const runner = startAutomationRunner({ ...quick.deps, acceptEmails, subscribe: () => () => {} })
  try {
    await isHanging
    await expectThreeRuns(quick, id)
    expect(slow.sent).toEqual([])
    release()
    await expect.poll(() => slow.sent.length, { timeout: 10_000 }).toBe(2)
  } finally {
    release()
    await runner.stop()
  }
})

test('runs that moved on are looked for again at once', async () => {
  const engine = await givenSendingEngine(database.db)
  await engine.report('go', await givenContact(engine))
  await followTeam(engine.deps, engine.teamId)
  expect(await workOnTeam(engine.deps, engine.teamId)).toBe(true)
  expect(await workOnTeam(engine.deps, engine.teamId)).toBe(true)
  expect(engine.sent).toHaveLength(2)
  expect(await workOnTeam(engine.deps, engine.teamId)).toBe(false)
})
