import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { givenTeamRow } from '../../../test/support/old-weeks.ts'
import { API_TIMEOUT_MS } from '../../app/runtime.ts'
import { newId } from '../../lib/ids.ts'
import { audienceCondition } from './audience-condition.ts'
import { COUNT_TIMEOUT_MS } from './audience-preview.ts'
import { countAudience, estimateAudience } from './count-audience-queries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

test('the estimate from the newest and the oldest contacts is exact for a team with no others', async () => {
  const { db } = database
  const teamId = await givenTeamRow(db)
  const [a, b, out] = [newId(), newId(), newId()]
  await db.query(
    `with k as materialized (select n, gen_random_uuid() as id from generate_series(1, 300) as n),
     c as (
       insert into contact (team_id, id, email, unsubscribed, created_at, updated_at)
       select $1, id, n || '@x.test', n % 7 = 0, now(), now() from k
     )
     insert into list_member (team_id, list_id, contact_id, created_at)
     select $1, l.id, k.id, now()
     from k, unnest(array[$2, $3, $4]::uuid[]) with ordinality as l (id, no)
     where (l.no = 1 and n % 2 = 0) or (l.no = 2 and n % 3 = 0) or (l.no = 3 and n % 5 = 0)`,
    [teamId, a, b, out],
  )
  const audience = { include: [{ listId: a }, { listId: b }], exclude: [{ listId: out }] }
  const condition = await audienceCondition(db, teamId, audience, new Date())
  const exact = await countAudience(db, teamId, 'topic:Campaigns', condition, 10_000)
  // Of 30 consecutive numbers, 16 are even, or divisible by three, and not by five.
  expect((exact?.count ?? 0) + (exact?.unsubscribed ?? 0)).toBe(160)
  expect(await estimateAudience(db, teamId, 'topic:Campaigns', condition, 200)).toEqual(exact)
})

test('a count that takes too long is ended, before the pool of the API takes the database for away', async () => {
  const { db } = database
  const teamId = await givenTeamRow(db)
  await db.query(
    `insert into contact (team_id, id, email, unsubscribed, created_at, updated_at)
     values ($1, gen_random_uuid(), 'a@x.test', false, now(), now())`,
    [teamId],
  )
  const slow = { sql: () => 'pg_sleep(10) is not null' }
  expect(await countAudience(db, teamId, 'topic:Campaigns', slow, 50)).toBeNull()
  expect(COUNT_TIMEOUT_MS).toBeLessThan(API_TIMEOUT_MS * 0.8)
})
