import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenSendingEngine } from '../../../test/support/automation-engine.ts'
import { chainOf, onEvent } from '../../../test/support/automations.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { expireAutomationRuns } from '../rows/sweep-automations-queries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

describe('the gap', () => {
  const WAIT = ['wait', 'delay', { duration: '2 days' }] as const

  async function givenGap(settings: object) {
    const engine = await givenSendingEngine(database.db)
    await engine.activate(chainOf(onEvent('go'), [...WAIT], ['end', 'exit']), {
      settings: { reentry_gap: '3 days', ...settings },
    })
    const [id = ''] = await engine.contacts(1)
    const go = async () => {
      await engine.report('go', id)
      await engine.work()
    }
    await go()
    engine.later(48)
    await engine.work()
    return { ...engine, go }
  }

  test('counts from the last start with every_time', async () => {
    const engine = await givenGap({ reentry: 'every_time' })
    engine.later(23)
    await engine.go()
    await engine.expectOutcomes({ exited: 1 })
    engine.later(1)
    await engine.go()
    await engine.expectOutcomes({ exited: 1, active: 1 })
  })

  test.each([false, true])(
    'counts from the end of the last run with after_exit (deleted: %s)',
    async (isDeleted) => {
      const engine = await givenGap({ reentry: 'after_exit' })
      if (isDeleted) {
        const justLater = new Date(engine.at().getTime() + 1)
        expect(await expireAutomationRuns(database.db, engine.teamId, justLater, 10)).toBe(1)
      }
      engine.later(71)
      await engine.go()
      expect((await engine.runs()).filter(({ state }) => state === 'active')).toEqual([])
      engine.later(1)
      await engine.go()
      expect((await engine.runs()).filter(({ state }) => state === 'active')).toHaveLength(1)
    },
  )

  test('counts from an end in the same page of events', async () => {
    const engine = await givenGap({ reentry: 'after_exit', exits: [{ event_name: 'stop' }] })
    engine.later(72)
    await engine.go()
    const [run] = await engine.runs()
    const contactId = run?.contactId ?? ''
    engine.later(1)
    await engine.report('stop', contactId)
    await engine.report('go', contactId)
    await engine.work()
    await engine.expectOutcomes({ exited: 2 })
  })

  test.each([
    ['every_time', { exited: 1, active: 1 }],
    ['after_exit', { exited: 1, canceled: 1, active: 1 }],
  ])('%s: a restart', async (reentry, outcomes) => {
    const engine = await givenGap({ reentry, on_retrigger: 'restart' })
    engine.later(72)
    await engine.go()
    engine.later(1)
    await engine.go()
    await engine.expectOutcomes(outcomes)
  })
})
