import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenSendingEngine } from '../../../test/support/automation-engine.ts'
import { type Condition, givenSegment, groupsOf, QUIET } from '../../../test/support/automation-segments.ts'
import { chainOf } from '../../../test/support/automations.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { updateContact } from '../../audience/contacts/contacts.ts'
import { removeList } from '../../audience/lists/lists.ts'
import { createSegment, removeSegment } from '../../audience/segments/segments.ts'
import { arrays } from '../../db/arrays.ts'
import type { Db } from '../../db/db-types.ts'
import { newId } from '../../lib/ids.ts'
import { changeAutomation } from '../automations.ts'
import { findChangedSegments } from '../rows/known-segments-queries.ts'
import { forgetUnfollowedSegment } from '../rows/sweep-automations-queries.ts'
import { DEPTH_MAX } from './begin-runs.ts'
import { followTeam } from './follow-team.ts'
import { readSegments, rereadSegments } from './read-segments.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const given = (conditionsOf?: Parameters<typeof givenSegment>[1]) => givenSegment(database.db, conditionsOf)

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

  test('is read in parts; members known before stay until their part is read', async () => {
    const engine = await given()
    const ids = await engine.contacts(5001)
    await database.db.query(`update contact set first_name = 'Vip' where id = any ($1)`, [arrays.uuid(ids)])
    await engine.begin()
    await engine.work()
    expect(await engine.members()).toHaveLength(5001)
    const last = ids.toSorted().at(-1) ?? ''
    engine.later(1)
    await engine.edit({ groups: groupsOf(isBoss) })
    await rereadSegments(engine.deps)
    expect(await engine.members()).toEqual([{ contactId: last }])
    // It is in the segment now, but whether it was before the edit is not known yet.
    await engine.rename(last, 'Boss')
    await followTeam(engine.deps, engine.teamId)
    expect(await engine.members()).toEqual([{ contactId: last }])
    await engine.rename(last, 'Ann')
    await engine.work()
    expect(await engine.members()).toEqual([])
    await engine.expectOutcomes({})
    await engine.rename(last, 'Boss')
    await engine.work()
    await engine.expectOutcomes({ exited: 1 })
  })

  test('that is the deletion of a list lets no contact enter', async () => {
    const engine = await given((_, listId) => [{ field: 'list', operator: 'not_in', value: listId }])
    const [id = '', later = ''] = await engine.contacts(2)
    await database.db.query(
      'insert into list_member (team_id, list_id, contact_id, created_at) select $1, $2, k.id, $4 from unnest($3::uuid[]) as k (id)',
      [engine.teamId, engine.listId, arrays.uuid([id, later]), engine.at()],
    )
    await engine.begin()
    await engine.work()
    expect(await engine.members()).toEqual([])
    engine.later(1)
    await database.db.transaction((tx) => removeList(tx, engine.teamId, engine.listId, engine.at()))
    await engine.rename(id, 'Ann')
    await engine.work()
    await engine.expectOutcomes({})
    expect(await engine.members()).toHaveLength(2)
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
      (await findChangedSegments(database.db, [], 100)).filter(({ teamId }) => teamId === engine.teamId)
        .length
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

test.each(['deleted', 'followed by no active automation'])(
  'what is known of a segment is deleted in parts once it is %s',
  async (kind) => {
    const engine = await given()
    const { id } = await engine.begin()
    const ids = await engine.contacts(3)
    for (const contactId of ids) await engine.rename(contactId, 'Vip')
    await engine.work()
    const known = () =>
      database.db.query('select 1 from automation_segment where team_id = $1', [engine.teamId])
    const forget = () => forgetUnfollowedSegment(database.db, engine.teamId, 2)
    expect(await forget()).toBe(false)
    await engine.change(id, { status: 'paused' })
    if (kind === 'deleted')
      await database.db.transaction((tx) => removeSegment(tx, engine.teamId, engine.segmentId))
    expect(await forget()).toBe(true)
    expect([await engine.members(), await known()]).toMatchObject([[{}], [{}]])
    expect(await forget()).toBe(true)
    expect([await engine.members(), await known()]).toEqual([[], []])
    expect(await forget()).toBe(false)
  },
)

test('a segment of which a part was deleted is read again at the next activation, and nobody enters', async () => {
  const engine = await given()
  const { id } = await engine.begin()
  for (const contactId of await engine.contacts(3)) await engine.rename(contactId, 'Vip')
  await engine.work()
  await engine.change(id, { status: 'paused' })
  expect(await forgetUnfollowedSegment(database.db, engine.teamId, 2)).toBe(true)
  await engine.change(id, { status: 'active' })
  expect(await forgetUnfollowedSegment(database.db, engine.teamId, 2)).toBe(false)
  await engine.work()
  expect(await engine.members()).toHaveLength(3)
  await engine.expectOutcomes({ exited: 3 })
})

test('what is known of a segment stays while an activation that names it is not committed', async () => {
  const engine = await given()
  const { id } = await engine.begin()
  const [contactId = ''] = await engine.contacts(1)
  await engine.rename(contactId, 'Vip')
  await engine.work()
  await engine.change(id, { status: 'paused' })
  await database.db.transaction(async (tx) => {
    await changeAutomation(
      tx,
      engine.teamId,
      id,
      { status: 'active' },
      { mayBeTransactional: false },
      engine.at(),
    )
    expect(await forgetUnfollowedSegment(database.db, engine.teamId, 2)).toBe(false)
  })
  await engine.work()
  expect(await engine.members()).toHaveLength(1)
})

test('a new activation takes nobody for a member who left meanwhile', async () => {
  const engine = await given()
  const { id } = await engine.begin()
  const [contactId = ''] = await engine.contacts(1)
  await engine.rename(contactId, 'Vip')
  await engine.work()
  await engine.change(id, { status: 'paused' })
  await engine.rename(contactId, 'Ann')
  await engine.work()
  expect(await engine.members()).toHaveLength(1)
  await engine.change(id, { status: 'active' })
  expect(await engine.members()).toEqual([])
  await engine.expectOutcomes({ exited: 1 })
})

test('a change behind a page of imported rows lets a contact enter', async () => {
  const engine = await givenSegment(database.db)
  await engine.begin()
  const [id = '', ...others] = await engine.contacts(501)
  await engine.rename(id, 'Imported', QUIET)
  for (const other of others) await engine.rename(other, 'Imported', QUIET)
  await engine.rename(id, 'Vip')
  await engine.work()
  await engine.expectOutcomes({ exited: 1 })
})

test('a process has nothing to read while another one reads a segment', async () => {
  const engine = await givenSegment(database.db)
  await engine.contacts(6000)
  await engine.begin()
  await database.db.transaction(async (tx) => {
    await tx.query('select 1 from automation_segment where team_id = $1 for update', [engine.teamId])
    expect(await readSegments(engine.deps)).toBe(false)
  })
  expect(await readSegments(engine.deps)).toBe(true)
})

test('a segment that cannot be read is reported and left out for a minute, and keeps no other one waiting', async () => {
  const failing = await given()
  const engine = await given()
  const { teamId } = failing
  for (const each of [failing, engine]) {
    await each.contacts(1)
    await each.begin()
    await database.db.query(
      'update automation_segment set read = false, conditions = null, changed_at = null where team_id = $1',
      [each.teamId],
    )
  }
  const failures: string[] = []
  const transaction: Db['transaction'] = (work, ...more) =>
    database.db.transaction(
      (tx) => {
        const query: typeof tx.query = async (text, values, ...rest) => {
          if (values?.[0] === teamId) throw new Error('took too long')
          return tx.query(text, values, ...rest)
        }
        return work({ ...tx, query })
      },
      ...more,
    )
  const onError = (_: unknown, team: string) => failures.push(team)
  const deps = { ...engine.deps, db: { ...database.db, transaction }, onError }
  expect(await readSegments(deps)).toBe(true)
  expect(await readSegments(deps)).toBe(false)
  expect(failures).toEqual([teamId])
  engine.later(1)
  await rereadSegments(deps)
  expect(failures).toEqual([teamId, teamId])
})
