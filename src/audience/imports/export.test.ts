import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { newId } from '../../lib/ids.ts'
import type { ContactCondition } from '../segments/contact-condition.ts'
import { exportContacts, exportSuppressions } from './export.ts'

/** More than are tested one by one for one page. */
const COUNT = 12_000
const OLDEST_ID = '01900000-0000-7000-8000-000000000001'

let database: TestDatabase
const teamId = newId()

beforeAll(async () => {
  database = await createDatabase()
  await database.db.query(
    `insert into contact (team_id, id, email, unsubscribed, created_at, updated_at)
     select $1, ('01900000-0000-7000-8000-' || lpad(to_hex(rank), 12, '0'))::uuid, 'c' || rank || '@x.test', false,
       $2, $2
     from generate_series(1, $3::int) as rank`,
    [teamId, new Date(), COUNT],
  )
})
afterAll(() => database.drop())

test('exported: every matching contact, even after a page that was empty because of the scan limit', async () => {
  const oldest: ContactCondition = {
    sql: (place) => `c.id = ${place(OLDEST_ID)}`,
    gatherSql: () => 'pg_sleep(1) is not null',
  }
  let file = ''
  for await (const lines of exportContacts(database.db, teamId, [oldest])) file += lines
  expect(file.split('\r\n')[1]).toMatch(/^c1@x\.test,/)
})

test('exported: every matching suppression, even if the last entry of a page is removed meanwhile', async () => {
  const { db } = database
  await db.query(
    `insert into suppression (team_id, id, email, reason, created_at, updated_at)
     select $1, gen_random_uuid(), 's' || lpad(rank::text, 4, '0') || '@x.test', 'manual', $2, $2
     from generate_series(1, 1200) as rank`,
    [teamId, new Date()],
  )
  let lines = 0
  for await (const part of exportSuppressions(db, teamId, { prefix: 's' })) {
    const last = part.trimEnd().split('\r\n').at(-1)?.split(',')[0]
    lines += part.trimEnd().split('\r\n').length
    await db.query('delete from suppression where team_id = $1 and email = $2', [teamId, last])
  }
  expect(lines).toBe(1 + 1200)
})
