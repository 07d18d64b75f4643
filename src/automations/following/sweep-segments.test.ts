import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Condition, givenSegment, isVip, QUIET } from '../../../test/support/automation-segments.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { removeSegment } from '../../audience/segments/segments.ts'
import { sweepSegments } from './sweep-segments.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const given = (conditionsOf: (since: Partial<Condition>) => Condition[]) =>
  givenSegment(database.db, conditionsOf)

describe('a condition on time', () => {
  const isOld = (since: Partial<Condition>): Condition[] => [
    { field: 'property', ...since, operator: 'older_than', value: '2 days' },
  ]

  test('lets each contact enter once, without an event', async () => {
    const engine = await given(isOld)
    await engine.contacts(1)
    engine.later(72)
    await engine.begin()
    const [id = ''] = await engine.contacts(1)
    await engine.work()
    await engine.expectOutcomes({})
    engine.later(48)
    await engine.work()
    await engine.expectOutcomes({})
    engine.later(1)
    await engine.work()
    await engine.work()
    expect(await engine.runs()).toMatchObject([
      { contactId: id, outcome: 'exited', cause: { type: 'segment_entered' } },
    ])
    engine.later(24)
    await engine.rename(id, 'Ann')
    await engine.work()
    await engine.expectOutcomes({ exited: 1 })
  })

  test('is compared no more often than every ten minutes, and counts contacts that time takes out', async () => {
    const engine = await given((since) => [
      { field: 'property', ...since, operator: 'within_last', value: '1 hour' },
    ])
    await engine.begin()
    const [id = ''] = await engine.contacts(1)
    const members = async () =>
      (await database.db.query('select 1 from automation_member where contact_id = $1', [id])).length
    await engine.rename(id, 'Ann')
    await engine.work()
    expect(await members()).toBe(1)
    engine.later(1.01)
    await engine.work()
    expect(await members()).toBe(0)
    await database.db.query('update contact_value set date_value = $2 where contact_id = $1', [
      id,
      engine.at(),
    ])
    await engine.work()
    expect(await members()).toBe(0)
    engine.later(0.2)
    await engine.work()
    expect(await members()).toBe(1)
    await engine.expectOutcomes({ exited: 1 })
  })

  test('leaves contacts to events that are not followed yet', async () => {
    const engine = await given((since) => [...isOld(since), isVip])
    const [imported = '', aged = ''] = await engine.contacts(2)
    engine.later(47)
    await engine.begin()
    await engine.rename(aged, 'Vip')
    await engine.work()
    engine.later(2)
    await engine.rename(imported, 'Vip', QUIET)
    await sweepSegments(engine.deps)
    expect(await engine.runs()).toMatchObject([{ contactId: aged }])
    await engine.work()
    engine.later(1)
    await engine.work()
    await engine.expectOutcomes({ exited: 1 })
  })

  test('is compared in parts that go on after a kill, and begins nothing while the automation is paused', async () => {
    const engine = await given(isOld)
    const { id } = await engine.begin()
    await engine.contacts(1500)
    await engine.work()
    engine.later(49)
    const { db } = database
    const dying = {
      ...db,
      transaction: ((work) =>
        db.transaction(async (tx) => {
          await work(tx)
          throw new Error('killed')
        })) as typeof db.transaction,
    }
    await expect(sweepSegments({ ...engine.deps, db: dying })).rejects.toThrow('killed')
    await engine.expectOutcomes({})
    expect(await sweepSegments(engine.deps)).toBe(true)
    await engine.expectOutcomes({ active: 1000 })
    await engine.change(id, { status: 'paused' })
    await engine.work()
    expect(await engine.runs()).toHaveLength(1000)
    // Whoever entered during the pause has not entered since.
    await engine.change(id, { status: 'active' })
    engine.later(1)
    await engine.work()
    expect(await engine.runs()).toHaveLength(1000)
  })

  test('a segment that fails is reported, and keeps no other one waiting', async () => {
    const engine = await given(isOld)
    await engine.begin()
    await engine.contacts(1)
    await engine.work()
    engine.later(49)
    const failures: string[] = []
    const onError = (_: unknown, teamId: string) => failures.push(teamId)
    const { db } = database
    const failing = { ...db, transaction: () => Promise.reject(new Error('failed')) }
    expect(await sweepSegments({ ...engine.deps, db: failing, onError })).toBe(false)
    expect(failures).toContain(engine.teamId)
    await sweepSegments({ ...engine.deps, onError })
    await engine.expectOutcomes({})
    engine.later(0.01)
    await sweepSegments({ ...engine.deps, onError })
    expect(await engine.runs()).toHaveLength(1)
  })

  test('two processes begin one run for each contact', async () => {
    const engine = await given(isOld)
    await engine.begin()
    await engine.contacts(1500)
    await engine.work()
    engine.later(49)
    const sweeping = async () => {
      while (await sweepSegments(engine.deps));
    }
    await Promise.all([sweeping(), sweeping(), sweeping()])
    await engine.work()
    await engine.expectOutcomes({ exited: 1500 })
  })

  test('of deleted segments does not keep those of others from being compared', async () => {
    for (let no = 0; no < 10; no++) {
      const gone = await given(isOld)
      const { id } = await gone.begin()
      await gone.change(id, { status: 'paused' })
      await database.db.transaction((tx) => removeSegment(tx, gone.teamId, gone.segmentId))
    }
    const engine = await given(isOld)
    await engine.begin()
    engine.later(1)
    await engine.contacts(1)
    engine.later(72)
    await engine.work()
    await engine.expectOutcomes({ exited: 1 })
  })

  test('begins a bounded number of runs at a time, for however many automations', async () => {
    const engine = await given(isOld)
    for (let no = 0; no < 4; no++) await engine.begin()
    await engine.contacts(300)
    engine.later(72)
    await sweepSegments(engine.deps)
    expect(await engine.runs()).toHaveLength(1000)
    await engine.work()
    await engine.expectOutcomes({ exited: 1200 })
  })
})
