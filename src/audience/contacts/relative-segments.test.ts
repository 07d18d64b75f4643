import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { givenTeamRow } from '../../../test/support/old-weeks.ts'
import { firstIdAt, newId } from '../../lib/ids.ts'
import { contactsIn } from '../segments/segments.ts'
import type { SegmentCondition } from '../segments/segments-queries.ts'
import { listContacts } from './list-contacts-queries.ts'

const NOW = new Date('2026-03-10T12:00:00Z')
const DAY_MS = 24 * 3_600_000
const EVERYONE = { size: 100, offset: 0, after: null, before: null }

let database: TestDatabase
let teamId: string
let propertyId: string

/** How far the dates of contacts are from NOW, in milliseconds. */
const DATES = [-31 * DAY_MS, -30 * DAY_MS - 1, -30 * DAY_MS, -1, 0, 1, 7 * DAY_MS, 7 * DAY_MS + 1]

beforeAll(async () => {
  database = await createDatabase()
  const { db } = database
  teamId = await givenTeamRow(db)
  propertyId = newId()
  await db.query(
    `insert into property (team_id, id, key, type, created_at, updated_at) values ($1, $2, 'ends', 'date', $3, $3)`,
    [teamId, propertyId, NOW],
  )
  for (const offset of [...DATES, null]) {
    const at = new Date(NOW.getTime() + (offset ?? -365 * DAY_MS))
    const id = firstIdAt(at)
    await db.query(
      `insert into contact (team_id, id, email, unsubscribed, created_at, updated_at) values ($1, $2, $3, false, $4, $4)`,
      [teamId, id, `${offset}@x.test`, at],
    )
    if (offset === null) continue
    await db.query(
      'insert into contact_value (team_id, contact_id, property_id, date_value) values ($1, $2, $3, $4)',
      [teamId, id, propertyId, at],
    )
  }
})
afterAll(() => database.drop())

/** Returns how far the dates of the members are from NOW. */
async function members(
  field: 'created_at' | 'property',
  operator: string,
  value: string,
  now = NOW,
): Promise<number[]> {
  const id = field === 'property' ? propertyId : null
  const condition: SegmentCondition = { field, type: 'date', operator, value, propertyId: id }
  const groups = [{ matchType: 'all' as const, conditions: [condition] }]
  const filter = await contactsIn(database.db, { teamId, matchType: 'all', groups }, now)
  const { rows } = await listContacts(database.db, teamId, [filter], EVERYONE)
  const offsets = rows.map(({ email }) => Number(email.split('@')[0]))
  return offsets.filter((offset) => !Number.isNaN(offset)).sort((a, b) => a - b)
}

test.each(['created_at', 'property'] as const)('%s counts from the moment of the read', async (field) => {
  expect(await members(field, 'older_than', '30 days')).toEqual(DATES.slice(0, 2))
  expect(await members(field, 'within_last', '30 days')).toEqual(DATES.slice(2, 5))
  expect(await members(field, 'within_next', '1 week')).toEqual(DATES.slice(5, 7))
})

test('contacts come and go as time passes', async () => {
  const at = (ms: number) => new Date(NOW.getTime() + ms)
  expect(await members('property', 'within_next', '1 week', at(1))).toEqual(DATES.slice(6))
  expect(await members('property', 'older_than', '30 days', at(1))).toEqual(DATES.slice(0, 3))
  expect(await members('property', 'older_than', '36525 days')).toEqual([])
})
