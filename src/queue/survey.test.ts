import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { givenDeliveries } from '../../test/support/deliveries.ts'
import { openDb } from '../db/db.ts'
import type { Db } from '../db/db-types.ts'
import { newId } from '../lib/ids.ts'
import { type ClaimRound, claimDue, newRound } from './claim.ts'
import { LEASE_MS } from './lease-queries.ts'
import { PromoteRound, promoteDue } from './promote-queries.ts'
import { ReadyDestinations } from './ready-destinations.ts'
import { Survey } from './survey.ts'
import type { DueDelivery } from './types.ts'

let database: TestDatabase
const now = new Date()
const later = (ms: number) => new Date(now.getTime() + ms)
const here = randomUUID()

beforeEach(async () => {
  database = await createDatabase()
})
afterEach(() => database.drop())

async function claim(
  round: ClaimRound,
  options: { now?: Date; countMax?: number; domainsToSkip?: string[]; db?: Db } = {},
): Promise<DueDelivery[]> {
  const { db = database.db, ...given } = options
  const rows = await claimDue(db, { nodeId: here, now, countMax: 200, domainsToSkip: [], round, ...given })
  // The slice beside the claims finishes before the next claim, so that each test has one order of events.
  await round.slice
  return rows
}

const times = (count: number, domain: string) => Array.from({ length: count }, () => ({ domain }))

/** Index entries that scans of the queue have read so far, on a pool of one connection. */
async function countEntriesRead(db: Db): Promise<number> {
  await db.query('select pg_stat_force_next_flush()')
  const [row] = await db.query<{ count: string }>(
    `select sum(idx_tup_read)::text as count
     from pg_stat_user_indexes
     where indexrelname ~ 'due_at_email_id_idx|updated_at_idx|coalesce_idx'`,
  )
  return Number(row?.count)
}

/** Runs `work` beside a transaction that keeps all claimed rows visible. */
async function beside(work: (db: Db) => Promise<void>): Promise<void> {
  const old = await database.db.connect()
  const db = openDb(database.url, { connectionsMax: 1, timeoutMs: 30_000, name: 'test' })
  try {
    await old.query('begin isolation level repeatable read')
    await old.query('select 1 from team')
    await work(db)
  } finally {
    await db.close()
    await old.end()
  }
}

test('claimed without reading earlier claims again, although an old transaction keeps them', async () => {
  await givenDeliveries(database.db, newId(), times(6000, 'a.test'))
  await beside(async (db) => {
    const round = newRound()
    for (let taken = 0; taken < 5000; ) taken += (await claim(round, { db })).length
    // Long enough that none of them is still news.
    await claim(round, { db, now: later(600_000) })
    // The survey saw no position within one due time: the next claim starts at its first row, once.
    await claim(round, { db, now: later(603_000) })
    const before = await countEntriesRead(db)
    expect(await claim(round, { db, now: later(604_000) })).toHaveLength(200)
    expect((await countEntriesRead(db)) - before).toBeLessThan(1500)
  })
})

test('made ready without reading settled rows again, although an old transaction keeps them', async () => {
  await givenDeliveries(database.db, newId(), times(3000, 'a.test'))
  await beside(async (db) => {
    const [claims, round] = [newRound(), new PromoteRound()]
    for (let taken = 0; taken < 3000; ) taken += (await claim(claims, { db })).length
    await db.query(
      "update delivery set status = 'delivered', due_at = null, leased_until = null, leased_by = null",
    )
    const look = async (at: Date) => {
      round.end(await db.transaction((tx) => promoteDue(tx, at, round.begin(at))))
    }
    await look(later(LEASE_MS))
    await look(later(LEASE_MS + 11_000))
    const before = await countEntriesRead(db)
    await look(later(LEASE_MS + 12_000))
    expect((await countEntriesRead(db)) - before).toBeLessThan(100)
  })
})

test('ready again at its old position when it is older than later claims', async () => {
  const [team, round] = [newId(), newRound()]
  await givenDeliveries(database.db, team, [{ domain: 'a.test', dueAt: later(-60_000) }])
  await givenDeliveries(database.db, team, times(500, 'a.test'))
  const [oldest] = await claim(round, { countMax: 1 })
  await claim(round)
  await database.db.transaction((tx) => promoteDue(tx, later(LEASE_MS)))
  const again = await claim(round, { now: later(LEASE_MS), countMax: 1 })
  expect(again.map((row) => row.emailId)).toEqual([oldest?.emailId])
})

test('found by the next survey when it was committed too late for the news', async () => {
  let found = 0
  const round = newRound(() => found++)
  expect(await claim(round)).toEqual([])
  await givenDeliveries(database.db, newId(), times(1, 'a.test'))
  await database.db.query('update delivery set updated_at = $1', [later(-60_000)])
  expect(await claim(round, { now: later(1000) })).toEqual([])
  found = 0
  expect(await claim(round, { now: later(20_000) })).toEqual([])
  expect(found).toBeGreaterThan(0)
  expect(await claim(round, { now: later(20_001) })).toHaveLength(1)
})

test('found immediately after the clock was set back by an hour', async () => {
  const round = newRound()
  const [hour, team] = [3_600_000, newId()]
  await givenDeliveries(database.db, team, times(300, 'a.test'))
  await claim(round, { now: later(hour) })
  await givenDeliveries(database.db, newId(), times(1, 'b.test'))
  const rows = await claim(round)
  expect(rows.filter((row) => row.domain === 'b.test')).toHaveLength(1)
})

test.each(['after', 'while'])(
  'surveyed at the usual interval when a survey ends %s the news of a clock set back is read',
  async (when) => {
    const survey = new Survey(new ReadyDestinations(1000))
    await survey.readSlice(database.db)
    const hour = 3_600_000
    await survey.readNews(database.db, later(hour))
    expect(survey.isOpen).toBe(true)
    const query: Db['query'] = async (...given) => {
      if (when === 'while') await survey.readSlice(database.db)
      return database.db.query(...given)
    }
    await survey.readNews({ ...database.db, query }, now)
    if (when === 'after') await survey.readSlice(database.db)
    expect(survey.isOpen).toBe(false)
    await survey.readNews(database.db, later(10_000))
    expect(survey.isOpen).toBe(false)
    await survey.readNews(database.db, later(hour / 2))
    expect(survey.isOpen).toBe(true)
  },
)

test('claimed completely when there are more destinations than can be remembered', async () => {
  const [team, other, round] = [newId(), newId(), newRound(() => {}, 1000)]
  const count = 3000
  await givenDeliveries(
    database.db,
    team,
    Array.from({ length: count }, (_, i) => ({ domain: `d${i}.test`, isBulk: i % 2 === 0 })),
  )
  await givenDeliveries(database.db, other, times(1, 'z.test'))
  const domainsToSkip = Array.from({ length: count - 1 }, (_, i) => `d${i}.test`)
  const at = (turn: number) => later(600_000 + turn * 1000)
  const seen: string[] = []
  for (let turn = 0; turn < 4; turn++) {
    for (const row of await claim(round, { domainsToSkip, now: at(turn) })) seen.push(row.domain)
  }
  expect(seen.sort()).toEqual([`d${count - 1}.test`, 'z.test'])
  const rest: string[] = []
  for (let turn = 4; rest.length < count - 1 && turn < 60; turn++) {
    for (const row of await claim(round, { now: at(turn), countMax: 300 })) rest.push(row.domain)
  }
  expect(rest).toHaveLength(count - 1)
})
