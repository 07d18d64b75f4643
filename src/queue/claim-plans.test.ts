import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createDatabase } from '../../test/support/database.ts'
import { givenDeliveries } from '../../test/support/deliveries.ts'
import { openDb } from '../db/db.ts'
import type { Queryable } from '../db/db-types.ts'
import { newId } from '../lib/ids.ts'
import { CLAIM_POOL, claimDue, newRound, prepareClaims } from './claim.ts'

test('planned once on each connection, before the first claim, and without values', async () => {
  const database = await createDatabase()
  const claims = openDb(database.url, { ...CLAIM_POOL, timeoutMs: 10_000, name: 'claims' })
  const plans = (db: Queryable = claims) =>
    db.query<{ name: string; generic: number; custom: number }>(
      `select name, generic_plans as generic, custom_plans as custom
       from pg_prepared_statements
       where statement like '%delivery d%' and statement not like '%prepared%'`,
    )
  await prepareClaims(claims)
  const each = await Promise.all([claims.transaction(plans), plans()])
  // The statements for news, the claim, and a survey's teams and destinations.
  for (const prepared of each) {
    expect(prepared.map(({ generic, custom }) => [generic, custom])).toEqual(
      Array.from({ length: 4 }, () => [1, 0]),
    )
  }
  const team = newId()
  await givenDeliveries(database.db, team, [{ domain: 'one.test' }, { domain: 'two.test' }])
  const round = newRound()
  const request = { nodeId: randomUUID(), now: new Date(), countMax: 1, domainsToSkip: [], round }
  for (let claimed = 0; claimed < 2; claimed++) expect(await claimDue(claims, request)).toHaveLength(1)
  await round.slice
  const after = await plans()
  expect(after).toHaveLength(4)
  for (const { custom } of after) expect(custom).toBe(0)
  await claims.close()
  await database.drop()
})
