import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import type { PageRange } from '../../db/page.ts'
import { newId } from '../../lib/ids.ts'
import type { ContactCondition } from '../segments/contact-condition.ts'
import { contactsIn } from '../segments/segments.ts'
import type { SegmentCondition } from '../segments/segments-queries.ts'
import { listContacts } from './list-contacts-queries.ts'

/** More than are walked before gathering, and more than are counted. */
const COUNT = 12_000
const FIRST_PAGE: PageRange = { size: 25, offset: 0, after: null, before: null }

let database: TestDatabase
const teamId = newId()
const otherTeamId = newId()
const rankId = newId()

/** Returns the id of a contact by its rank. The newest contact has the highest rank. */
const idOf = (rank: number) => `01900000-0000-7000-8000-${rank.toString(16).padStart(12, '0')}`
const ranks = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => idOf(to - index))

beforeAll(async () => {
  database = await createDatabase()
  const { db } = database
  const now = new Date()
  for (const owner of [teamId, otherTeamId]) {
    await db.query(
      `insert into contact (team_id, id, email, unsubscribed, created_at, updated_at)
       select $1, ('01900000-0000-7000-8000-' || lpad(to_hex(rank), 12, '0'))::uuid, 'c' || rank || '@x.test',
         rank % 2 = 0, $2, $2
       from generate_series(1, $3::int) as rank`,
      [owner, now, COUNT],
    )
    await db.query(
      `insert into contact_value (team_id, contact_id, property_id, number_value)
       select $1, ('01900000-0000-7000-8000-' || lpad(to_hex(rank), 12, '0'))::uuid, $2, rank
       from generate_series(1, $3::int) as rank`,
      [owner, rankId, COUNT],
    )
  }
  await db.query('update contact set deleted_at = $2 where team_id = $1 and id = $3', [teamId, now, idOf(50)])
  await db.query('analyze contact, contact_value')
})
afterAll(() => database.drop())

const rank = (operator: string, value: number): SegmentCondition => ({
  field: 'property',
  type: 'number',
  operator,
  value,
  propertyId: rankId,
})
const away: SegmentCondition = {
  field: 'unsubscribed',
  type: 'boolean',
  operator: 'equals',
  value: true,
  propertyId: null,
}

async function find(
  matchType: 'all' | 'any',
  conditions: SegmentCondition[],
  range: Partial<PageRange> = {},
) {
  const now = new Date()
  const rest = { teamId, id: newId(), name: 'S', matchType: 'all', createdAt: now, updatedAt: now } as const
  const condition = await contactsIn(database.db, { ...rest, groups: [{ matchType, conditions }] }, now)
  const page = await listContacts(database.db, teamId, [condition], { ...FIRST_PAGE, ...range })
  return { ids: page.rows.map(({ id }) => id), hasMore: page.hasMore, total: page.total }
}

describe('matching contacts', () => {
  test('all: newest first, counted up to 10,000', async () => {
    expect(await find('all', [rank('greater_than', 0)])).toEqual({
      ids: ranks(COUNT - 24, COUNT),
      hasMore: true,
      total: 10_000,
    })
  })

  test('many that match every condition', async () => {
    const { ids, hasMore, total } = await find('all', [rank('less_than_or_equals', 11_000), away])
    expect(ids.slice(0, 2)).toEqual([idOf(11_000), idOf(10_998)])
    // The deleted contact has an even rank.
    expect([ids.length, hasMore, total]).toEqual([25, true, 5499])
  })

  test('few, all far from the newest, without deleted ones', async () => {
    expect(await find('all', [rank('less_than_or_equals', 60), rank('greater_than', 40)])).toEqual({
      ids: [...ranks(51, 60), ...ranks(41, 49)],
      hasMore: false,
      total: 19,
    })
  })

  test('few that match any condition', async () => {
    expect(await find('any', [rank('equals', 7), rank('equals', 7), rank('less_than', 3)])).toEqual({
      ids: [idOf(7), idOf(2), idOf(1)],
      hasMore: false,
      total: 3,
    })
  })

  test('in pages, backwards and forwards, with the same total on every page', async () => {
    const conditions = [rank('less_than_or_equals', 100)]
    const second = await find('all', conditions, { offset: 25 })
    expect(second).toEqual({ ids: ranks(51, 75), hasMore: true, total: 99 })
    const after = await find('all', conditions, { after: idOf(51) })
    expect(after).toEqual({ ids: [...ranks(25, 49)], hasMore: true, total: 99 })
    const before = await find('all', conditions, { before: idOf(75) })
    expect(before).toEqual({ ids: ranks(76, 100), hasMore: false, total: 99 })
    expect(await find('all', conditions, { offset: 500 })).toEqual({ ids: [], hasMore: false, total: 99 })
  })

  test('none', async () => {
    expect(await find('all', [rank('less_than', 1)])).toEqual({ ids: [], hasMore: false, total: 0 })
  })
})

test('short page that continues where it stopped, if gathering takes too long', async () => {
  const slow: ContactCondition = {
    sql: (place) => `c.id = ${place(idOf(7))}`,
    gatherSql: () => 'pg_sleep(1) is not null',
  }
  const first = await listContacts(database.db, teamId, [slow], FIRST_PAGE)
  expect(first).toMatchObject({ rows: [], hasMore: true, total: 0 })
  const next = await listContacts(database.db, teamId, [slow], {
    ...FIRST_PAGE,
    after: first.stoppedAt ?? null,
  })
  expect(next).toMatchObject({ rows: [{ id: idOf(7) }], hasMore: false, stoppedAt: null })
})
