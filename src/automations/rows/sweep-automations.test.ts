import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { givenTeamRow } from '../../../test/support/old-weeks.ts'
import { newId } from '../../lib/ids.ts'
import { sweepAutomations } from './sweep-automations-queries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

test('entries of a deleted automation are deleted some at a time, and its versions after them', async () => {
  const { db } = database
  const teamId = await givenTeamRow(db)
  const [id, kept] = [newId(), newId()]
  await db.query(
    `insert into automation_version (team_id, automation_id, version, graph, settings, follows, created_at)
     values ($1, $2, 1, '{}', '{}', '{}', now())`,
    [teamId, id],
  )
  await db.query(
    `insert into automation_entry (team_id, automation_id, contact_id, started_at)
     select $1, a.id, gen_random_uuid(), now()
     from unnest(array[$2, $3]::uuid[]) as a (id), generate_series(1, 5)`,
    [teamId, id, kept],
  )
  const left = async () => {
    const [row] = await db.query<{ entries: number; versions: number }>(
      `select (select count(*)::int4 from automation_entry where team_id = $1) as entries,
         (select count(*)::int4 from automation_version where team_id = $1) as versions`,
      [teamId],
    )
    return row
  }
  expect(await sweepAutomations(db, 2)).toBe(2)
  expect(await left()).toEqual({ entries: 8, versions: 1 })
  expect(await sweepAutomations(db, 2)).toBe(2)
  expect(await sweepAutomations(db, 2)).toBe(1)
  expect(await left()).toEqual({ entries: 5, versions: 0 })
  expect(await sweepAutomations(db, 2)).toBe(0)
})
