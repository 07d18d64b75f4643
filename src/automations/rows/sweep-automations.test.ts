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

const givenVersion = (teamId: string, id: string) =>
  database.db.query(
    `insert into automation_version (team_id, automation_id, version, graph, settings, follows, created_at)
     values ($1, $2, 1, '{}', '{}', '{}', now())`,
    [teamId, id],
  )

async function countLeft(teamId: string) {
  const [row] = await database.db.query<{ entries: number; versions: number }>(
    `select (select count(*)::int4 from automation_entry where team_id = $1) as entries,
       (select count(*)::int4 from automation_version where team_id = $1) as versions`,
    [teamId],
  )
  return row
}

test('entries of a deleted automation are deleted some at a time, and its versions after them', async () => {
  const { db } = database
  const teamId = await givenTeamRow(db)
  const [id, kept] = [newId(), newId()]
  await givenVersion(teamId, id)
  await db.query(
    `insert into automation_entry (team_id, automation_id, contact_id, started_at)
     select $1, a.id, gen_random_uuid(), now()
     from unnest(array[$2, $3]::uuid[]) as a (id), generate_series(1, 5)`,
    [teamId, id, kept],
  )
  expect(await sweepAutomations(db, 2)).toBe(2)
  expect(await countLeft(teamId)).toEqual({ entries: 8, versions: 1 })
  expect(await sweepAutomations(db, 2)).toBe(2)
  expect(await sweepAutomations(db, 2)).toBe(1)
  expect(await countLeft(teamId)).toEqual({ entries: 5, versions: 0 })
  expect(await sweepAutomations(db, 2)).toBe(0)
})

test('entries that another process did not delete are still found', async () => {
  const { db } = database
  const teamId = await givenTeamRow(db)
  const id = newId()
  await givenVersion(teamId, id)
  await db.query(
    `insert into automation_entry (team_id, automation_id, contact_id, started_at)
     select $1, $2, gen_random_uuid(), now()
     from generate_series(1, 3)`,
    [teamId, id],
  )
  const second = await db.transaction(async (tx) => {
    // As the first process, which picks the same entries.
    await tx.query(
      `delete from automation_entry
       where team_id = $1 and automation_id = $2
         and contact_id = any (array(
           select contact_id
           from automation_entry
           where team_id = $1 and automation_id = $2
           limit 2
         ))`,
      [teamId, id],
    )
    const swept = sweepAutomations(db, 2)
    await expect
      .poll(() =>
        db.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      )
      .not.toEqual([])
    return { swept }
  })
  await second.swept
  expect(await countLeft(teamId)).toEqual({ entries: 1, versions: 1 })
  await sweepAutomations(db, 2)
  expect(await countLeft(teamId)).toEqual({ entries: 0, versions: 0 })
})
