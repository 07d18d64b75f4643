import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenSendingEngine } from '../../../test/support/automation-engine.ts'
import { chainOf } from '../../../test/support/automations.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import type { ContactCause } from '../../audience/contacts/contact-events.ts'
import { updateContact } from '../../audience/contacts/contacts.ts'
import { changeSegment, createSegment, type SegmentInput } from '../../audience/segments/segments.ts'
import { arrays } from '../../db/arrays.ts'
import { newId } from '../../lib/ids.ts'
import { findChangedSegments } from '../rows/known-segments-queries.ts'
import { DEPTH_MAX } from './begin-runs.ts'
import { sweepSegments } from './sweep-segments.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

type Condition = SegmentInput['groups'][number]['conditions'][number]

const groupsOf = (...conditions: Condition[]) => [{ conditions }]
const isVip: Condition = { field: 'first_name', operator: 'equals', value: 'Vip' }

/** An engine with a segment, by default of contacts called Vip. Contacts have the property `since`, when they were created. */
async function given(conditionsOf: (since: Partial<Condition>) => Condition[] = () => [isVip]) {
  const engine = await givenSendingEngine(database.db)
  const { teamId } = engine
  const propertyId = newId()
  await database.db.query(
    `insert into property (team_id, id, key, type, created_at, updated_at) values ($1, $2, 'since', 'date', $3, $3)`,
    [teamId, propertyId, engine.at()],
  )
  const groups = groupsOf(...conditionsOf({ field: 'property', property_id: propertyId }))
  const segment = await database.db.transaction((tx) =>
    createSegment(tx, teamId, { name: 'S', matchType: 'all', groups }, engine.at()),
  )
  return {
    ...engine,
    async contacts(count: number): Promise<string[]> {
      const ids = await engine.contacts(count)
      await database.db.query(
        `insert into contact_value (team_id, contact_id, property_id, date_value)
         select $1, id, $2, $3 from unnest($4::uuid[]) as k (id)`,
        [teamId, propertyId, engine.at(), arrays.uuid(ids)],
      )
      // As on a server, where the statements are planned for what is there.
      if (count > 100) await database.db.query('analyze contact, contact_value')
      return ids
    },
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

describe('an edit of the segment', () => {
  const isBoss: Condition = { field: 'first_name', operator: 'equals', value: 'Boss' }

  test.each([
    ['noticed by the next event', false],
    ['noticed without an event', true],
  ])('lets no contact enter, %s', async (_, isQuiet) => {
    const engine = await given()
    await engine.begin()
    const [old = '', later = ''] = await engine.contacts(2)
    await engine.rename(old, 'Boss')
    await engine.work()
    engine.later(1)
    await engine.edit({ groups: groupsOf(isBoss) })
    if (isQuiet) await engine.work()
    // An unrelated change.
    await updateContact(database.db, engine.teamId, old, { lastName: 'A' }, engine.at())
    await engine.work()
    await engine.expectOutcomes({})
    await engine.rename(later, 'Boss')
    await engine.work()
    await engine.expectOutcomes({ exited: 1 })
  })

  test('that is noticed without an event hides no entry behind it', async () => {
    const engine = await given()
    await engine.begin()
    const [id = ''] = await engine.contacts(1)
    engine.later(1)
    await engine.edit({ groups: groupsOf(isBoss) })
    await engine.work()
    await engine.rename(id, 'Boss')
    await engine.work()
    await engine.expectOutcomes({ exited: 1 })
  })

  test('that changes its name alone leaves the members as they are', async () => {
    const engine = await given()
    await engine.begin()
    const [id = ''] = await engine.contacts(1)
    engine.later(1)
    await engine.rename(id, 'Vip')
    await engine.edit({ name: 'New' })
    await engine.work()
    await engine.expectOutcomes({ exited: 1 })
  })

  test('before this was remembered is not known: the members stay as they are', async () => {
    const engine = await given()
    await engine.begin()
    const [id = ''] = await engine.contacts(1)
    await database.db.query(
      'update automation_segment set conditions = null, changed_at = null where team_id = $1',
      [engine.teamId],
    )
    await engine.rename(id, 'Vip')
    await engine.work()
    await engine.expectOutcomes({ exited: 1 })
  })

  test('is noticed once, also in microseconds', async () => {
    const engine = await given()
    await engine.begin()
    await database.db.query(
      `update segment set updated_at = '2026-03-01 10:00:00.000999Z' where team_id = $1`,
      [engine.teamId],
    )
    const changed = async () =>
      (await findChangedSegments(database.db, 100)).filter(({ teamId }) => teamId === engine.teamId).length
    expect(await changed()).toBe(1)
    await engine.work()
    expect(await changed()).toBe(0)
  })

  test('that changes the fallback of a property lets no contact enter', async () => {
    const propertyId = newId()
    const engine = await givenSendingEngine(database.db)
    const { db } = database
    await db.query(
      `insert into property (team_id, id, key, type, created_at, updated_at) values ($1, $2, 'plan', 'string', $3, $3)`,
      [engine.teamId, propertyId, engine.at()],
    )
    const isPro: Condition = {
      field: 'property',
      operator: 'equals',
      value: 'pro',
      property_id: propertyId,
    }
    const { id: segmentId } = await db.transaction((tx) =>
      createSegment(tx, engine.teamId, { name: 'S', matchType: 'all', groups: groupsOf(isPro) }, engine.at()),
    )
    await engine.activate(
      chainOf(['start', 'trigger', { type: 'segment_entered', segment_id: segmentId }], ['end', 'exit']),
    )
    const [id = ''] = await engine.contacts(1)
    engine.later(1)
    await db.query(
      `update property set fallback_value = 'pro', updated_at = $3 where team_id = $1 and id = $2`,
      [engine.teamId, propertyId, engine.at()],
    )
    await updateContact(db, engine.teamId, id, { lastName: 'A' }, engine.at())
    await engine.work()
    await engine.expectOutcomes({})
  })
})

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
})
