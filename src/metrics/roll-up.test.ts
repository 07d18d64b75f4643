import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { countDirectly, givenCountedEmails, someEvents } from '../../test/support/metrics.ts'
import { seedRandom } from '../../test/support/random.ts'
import { isFull } from '../../test/support/thorough.ts'
import { openDb } from '../db/db.ts'
import type { Db, Tx } from '../db/db-types.ts'
import { type NewEvent, recordEvents } from '../events/record-queries.ts'
import { COUNTERS } from './counting/metric-counts-queries.ts'
import { forgetOldMetrics } from './forget.ts'
import { RollUp } from './roll-up.ts'

const TEAMS = [1, 2, 3, 4].map((number) => `01900000-0000-7000-8000-0000000000a${number}`)
const NO_GUARD = { bounceRate: null, complaintRate: null, recipientsMin: 1 }
/** The end of a month and of a year: hours, days and months all begin among the events. */
const START_MS = Date.UTC(2025, 11, 31, 20)
const ROUNDS = isFull ? 50 : 17
const clock = { now: () => new Date() }

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

/**
 * Wraps a database so that its process sometimes crashes before, during or after its writes. Usually the transaction
 * rolls back; sometimes the server ends its connection.
 */
function crashingAtRandom(db: Db, random: () => number): Db & { deaths: number } {
  const die = async (tx: Tx) => {
    dying.deaths++
    if (random() < 0.05) await tx.query('select pg_terminate_backend(pg_backend_pid())')
    throw new Error('The process crashed.')
  }
  const dying = {
    ...db,
    deaths: 0,
    transaction: <T>(work: (tx: Tx) => Promise<T>) =>
      db.transaction(async (tx) => {
        const lifetime = random() < 0.4 ? Number.POSITIVE_INFINITY : Math.floor(random() * 9)
        let count = 0
        const mortal: Tx = {
          ...tx,
          query: async (sql, values, options) => {
            if (++count > lifetime) await die(tx)
            return tx.query(sql, values, options)
          },
        }
        const result = await work(mortal)
        if (random() < 0.2) await die(tx)
        return result
      }),
  }
  return dying
}

async function countAll(rollUp: RollUp): Promise<void> {
  for (;;) {
    if (!(await rollUp.run())) return
  }
}

/** The stored rows: keys and counts, without zeros. */
async function readRollups(): Promise<unknown[]> {
  const rows = await database.db.query<Record<string, unknown>>(
    `select team_id, grain, dimension, since, key, ${COUNTERS.join(', ')}
     from metric
     order by team_id, grain, dimension, since, key`,
  )
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== 0)))
}

test('counts equal a direct count over random events, with two processes that crash at random', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const random = seedRandom(seed)
  const emails = await givenCountedEmails(database.db, TEAMS, random)
  const write = async () => {
    const events = someEvents(emails, 1 + Math.floor(random() * 40), random)
    const at = new Date(START_MS + random() * 30 * 3_600_000)
    await database.db.transaction(async (tx) => recordEvents(tx, events, at))
  }
  const pools = [0, 1].map(() =>
    openDb(database.url, { connectionsMax: 2, timeoutMs: 10_000, name: 'mortal' }),
  )
  const mortals = pools.map((pool) => crashingAtRandom(pool, random))
  const rollUps = mortals.map((db) => new RollUp({ db, clock, guard: NO_GUARD }))
  for (let round = 0; round < ROUNDS; round++) {
    const count = (rollUp: RollUp) => rollUp.run().catch(() => true)
    await Promise.all([write(), write(), ...rollUps.map(count), write()])
  }
  await Promise.all(pools.map((pool) => pool.close()))
  expect(mortals.every(({ deaths }) => deaths > 0)).toBe(true)

  await countAll(new RollUp({ db: database.db, clock, guard: NO_GUARD }))
  const rollups = await readRollups()
  expect(rollups.length).toBeGreaterThan(200)
  expect(rollups, `seed ${seed}`).toEqual(await countDirectly(database.db))
})

describe('a team with more than one batch', () => {
  const team = '01900000-0000-7000-8000-0000000000b1'
  test('is counted in several runs, each event once, until nothing is left', async () => {
    const random = seedRandom(7)
    const emails = await givenCountedEmails(database.db, [team], random)
    await database.db.transaction(async (tx) =>
      recordEvents(tx, someEvents(emails, 5_600, random), new Date(START_MS)),
    )
    const rollUp = new RollUp({ db: database.db, clock, guard: NO_GUARD })
    expect(await rollUp.run()).toBe(true)
    await countAll(rollUp)
    expect(await rollUp.run()).toBe(false)
    expect(await readRollups()).toEqual(await countDirectly(database.db))
  })

  test('passes over the events of an import without loading them, and says up to when it has counted', async () => {
    const importing = '01900000-0000-7000-8000-0000000000b2'
    const at = new Date(START_MS + 3_600_000)
    const contacts = Array.from({ length: 25_000 }, () => ({
      teamId: importing,
      subjectId: importing,
      type: 'contact.created' as const,
      data: {},
    }))
    const random = seedRandom(8)
    const emails = await givenCountedEmails(database.db, [importing], random)
    await database.db.transaction(async (tx) => recordEvents(tx, contacts, at))
    await database.db.transaction(async (tx) => recordEvents(tx, someEvents(emails, 10, random), at))
    const rollUp = new RollUp({ db: database.db, clock, guard: NO_GUARD })
    expect(await rollUp.run()).toBe(true)
    const [feed] = await database.db.query<{ position: number; countedAt: Date }>(
      'select position, counted_at from metric_feed where team_id = $1',
      [importing],
    )
    expect(feed).toEqual({ position: 20_000, countedAt: at })
    expect(await rollUp.run()).toBe(false)
    expect(await readRollups()).toEqual(await countDirectly(database.db))
  })

  test('passes over a gap in the numbers at once, such as a restore leaves', async () => {
    const { db } = database
    const random = seedRandom(9)
    const emails = await givenCountedEmails(db, [team], random)
    await db.query('update event_feed set position = position + 1000000000 where team_id = $1', [team])
    await db.transaction(async (tx) => recordEvents(tx, someEvents(emails, 10, random), new Date(START_MS)))
    expect(await new RollUp({ db, clock, guard: NO_GUARD }).run()).toBe(false)
    expect(await readRollups()).toEqual(await countDirectly(db))
  })

  test('moves to the end of a feed whose last events were erased before they were counted', async () => {
    await database.db.transaction(async (tx) =>
      recordEvents(tx, [{ teamId: team, subjectId: team, type: 'team.resumed', data: {} }], new Date()),
    )
    await database.db.query('delete from event where team_id = $1 and subject_id = $1', [team])
    const rollUp = new RollUp({ db: database.db, clock, guard: NO_GUARD })
    await countAll(rollUp)
    expect(await rollUp.run()).toBe(false)
  })
})

test('counts opens, clicks, complaints and opt-outs at the provider whose server took the email', async () => {
  const { db } = database
  const team = '01900000-0000-7000-8000-0000000000b4'
  const [email] = await givenCountedEmails(db, [team], seedRandom(10))
  const subjectId = email?.id ?? ''
  await db.query(
    `insert into delivery (team_id, email_id, no, kind, address, address_key, domain, status, ready, attempts, expires_at,
       mx_host, updated_at)
     values ($1, $2, 0, 'to', 'Bob@Company.test', 'bob@company.test', 'company.test', 'delivered', false, 1, $3,
       'aspmx.l.google.com', $3)`,
    [team, subjectId, new Date(START_MS)],
  )
  const [campaign, contact] = ['01900000-0000-7000-8000-0000000000c4', '01900000-0000-7000-8000-0000000000d4']
  await db.query(
    `with c as (
       insert into campaign (team_id, id, name, status, audience_done, created_at, updated_at)
       values ($1, $2, 'Spring', 'draft', false, $5, $5)
     )
     insert into campaign_recipient (team_id, campaign_id, contact_id, state, email_id, updated_at)
     values ($1, $2, $3, 'accepted', $4, $5)`,
    [team, campaign, contact, subjectId, new Date(START_MS)],
  )
  const of = { teamId: team, subjectId }
  const recipient = 'Bob@Company.test'
  const events: NewEvent[] = [
    { ...of, type: 'email.delivered', data: { recipient, mx_host: 'aspmx.l.google.com' } },
    { ...of, type: 'email.opened', data: { recipient } },
    { ...of, type: 'email.clicked', data: { recipient } },
    { ...of, type: 'email.complained', data: { recipient, source: 'notice' } },
    { ...of, type: 'email.bounced', data: { recipient, source: 'notice' } },
    {
      teamId: team,
      subjectId: contact,
      type: 'contact.unsubscribed',
      data: { email: 'bob@company.test', email_id: subjectId },
    },
    { teamId: team, subjectId: contact, type: 'contact.unsubscribed', data: { email: 'bob@company.test' } },
  ]
  await db.transaction(async (tx) => recordEvents(tx, events, new Date(START_MS)))
  await countAll(new RollUp({ db, clock, guard: NO_GUARD }))
  const rows = await db.query(
    `select key, delivered, opened, clicked, complained, bounced
     from metric
     where team_id = $1 and dimension = 'provider' and grain = 'day'`,
    [team],
  )
  expect(rows).toEqual([{ key: 'google', delivered: 1, opened: 1, clicked: 1, complained: 1, bounced: 1 }])
  const ofCampaign = await db.query(
    'select provider, delivered, unsubscribed from campaign_metric where campaign_id = $1',
    [campaign],
  )
  expect(ofCampaign).toEqual([{ provider: 'google', delivered: 1, unsubscribed: 1 }])
})

test('deletes rows past their retention: hours before days, and no recent rows', async () => {
  const later = new Date(START_MS + 150 * 24 * 3_600_000)
  while (await forgetOldMetrics(database.db, later, 100));
  const grains = await database.db.query('select distinct grain from metric order by grain')
  expect(grains).toEqual([{ grain: 'day' }, { grain: 'month' }])
  await forgetOldMetrics(database.db, new Date(START_MS + 900 * 24 * 3_600_000), 100_000)
  expect(await database.db.query('select 1 from metric')).toEqual([])
  expect(await database.db.query('select 1 from metric_visit')).toEqual([])
})
