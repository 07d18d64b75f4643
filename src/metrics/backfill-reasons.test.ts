import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { givenCountedEmails, someEvents } from '../../test/support/metrics.ts'
import { seedRandom } from '../../test/support/random.ts'
import { recordEvents } from '../events/record-queries.ts'
import { COUNTERS } from './counting/metric-counts-queries.ts'
import { RollUp } from './roll-up.ts'

const TEAM = '01900000-0000-7000-8000-0000000000a1'
const START_MS = Date.UTC(2025, 11, 31, 20)
const CAUSED = ['bounced', 'bounced_hard', 'failed', 'rejected'] as const
const MIGRATION = join(import.meta.dirname, '../db/migrations/0028-bounce-reasons.sql')

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
  const random = seedRandom(11)
  const emails = await givenCountedEmails(database.db, [TEAM], random)
  for (let hour = 0; hour < 8; hour++) {
    const events = someEvents(emails, 60, random)
    const at = new Date(START_MS + hour * 3_600_000)
    await database.db.transaction(async (tx) => recordEvents(tx, events, at))
  }
  const guard = { bounceRate: null, complaintRate: null, recipientsMin: 1 }
  const rollUp = new RollUp({ db: database.db, clock: { now: () => new Date() }, guard })
  while (await rollUp.run());
})
afterAll(() => database.drop())

/** Brings the database to the state before the migration, and migrates it. */
async function migrateAgain(): Promise<void> {
  await database.db.query(
    "delete from metric where dimension not in ('all', 'domain', 'tag', 'template', 'provider')",
  )
  const client = await database.db.connect()
  await client.query(await readFile(MIGRATION, 'utf8'))
  await client.end()
}

const readReasons = () =>
  database.db.query<Record<string, unknown>>(
    `select grain, since, key, ${COUNTERS.join(', ')}
     from metric
     where dimension = 'reason'
     order by grain, since, key`,
  )

/** The failures of each hour, day and month: of the team, or summed over their causes. */
const sumFailures = (dimension: 'all' | 'reason') =>
  database.db.query(
    `select grain, since, ${CAUSED.map((counter) => `sum(${counter})::int8 as ${counter}`).join(', ')}
     from metric
     where dimension = $1
     group by grain, since
     having sum(bounced + failed + rejected) > 0
     order by grain, since`,
    [dimension],
  )

test('an upgrade counts the causes of earlier events as the roll-up would have', async () => {
  const counted = await readReasons()
  expect(counted.length).toBeGreaterThan(30)
  expect(await sumFailures('reason')).toEqual(await sumFailures('all'))
  await migrateAgain()
  expect(await readReasons()).toEqual(counted)
})

test('causes add up to the counts of the team where events are no longer stored', async () => {
  await database.db.query("delete from event where created_at < $1 or data ->> 'category' = 'mailbox_full'", [
    new Date(START_MS + 3 * 3_600_000),
  ])
  await migrateAgain()
  expect(await sumFailures('reason')).toEqual(await sumFailures('all'))
  const keys = new Set((await readReasons()).map(({ key }) => key))
  expect([keys.has('unknown'), keys.has('no_such_address'), keys.has('mailbox_full')]).toEqual([
    true,
    true,
    false,
  ])
})
