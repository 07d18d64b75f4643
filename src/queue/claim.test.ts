import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { givenDeliveries, keysOf, statesOf } from '../../test/support/deliveries.ts'
import { newId } from '../lib/ids.ts'
import { claimDue, newRound } from './claim.ts'
import { byKey, extendLeases, LEASE_MS, releaseLeases, releaseLeasesOf } from './lease-queries.ts'
import { promoteDue } from './promote-queries.ts'
import { settle } from './settle-queries.ts'
import type { DueDelivery } from './types.ts'

let database: TestDatabase
const now = new Date()
const later = (ms: number) => new Date(now.getTime() + ms)
const [here, there] = [randomUUID(), randomUUID()]

// Each test begins with an empty queue and new teams. What earlier teams have in other tables, the queue does not read.
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())
beforeEach(() => database.db.query('truncate delivery'))

function claim(options: Partial<Parameters<typeof claimDue>[1]> = {}): Promise<DueDelivery[]> {
  const usual = { nodeId: here, now, countMax: 200, domainsToSkip: [], round: newRound() }
  return claimDue(database.db, { ...usual, ...options })
}

const countBy = (rows: DueDelivery[], of: (row: DueDelivery) => string) => {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(of(row), (counts.get(of(row)) ?? 0) + 1)
  return counts
}

test('claimed from every team in the first batch, though one of them has 10,000 waiting', async () => {
  const big = newId()
  const small = Array.from({ length: 20 }, () => newId())
  await givenDeliveries(
    database.db,
    big,
    Array.from({ length: 10_000 }, (_, i) => ({ domain: `d${i % 7}.test` })),
  )
  for (const team of small) await givenDeliveries(database.db, team, [{ domain: 'one.test' }])
  const rows = await claim()
  const counts = countBy(rows, (row) => row.teamId)
  for (const team of small) expect(counts.get(team)).toBe(1)
  expect(counts.get(big)).toBeLessThanOrEqual(10)
})

test('claimed at once behind a hundred teams that wait for a destination to be skipped', async () => {
  for (let i = 0; i < 100; i++) await givenDeliveries(database.db, newId(), [{ domain: 'dead.test' }])
  const last = newId()
  await givenDeliveries(database.db, last, [{ domain: 'fine.test' }])
  const rows = await claim({ domainsToSkip: ['dead.test'] })
  expect(rows.map((row) => row.teamId)).toEqual([last])
})

test('claimed from every team once before any team is served again, though one scan does not cover all', async () => {
  const teams = Array.from({ length: 150 }, () => newId())
  for (const team of teams)
    await givenDeliveries(database.db, team, [{ domain: 'a.test' }, { domain: 'b.test' }])
  const round = newRound()
  const claimed = []
  // So much later that the survey finds the rows, not the news.
  for (let i = 0; i < 3; i++) claimed.push(...(await claim({ round, countMax: 50, now: later(60_000) })))
  expect(countBy(claimed, (row) => row.teamId)).toEqual(new Map(teams.map((team) => [team, 1])))
})

test('claimed from every destination of a team in turn, the oldest of each first', async () => {
  const team = newId()
  await givenDeliveries(database.db, team, [
    ...Array.from({ length: 1000 }, (_, i) => ({ domain: 'big.test', dueAt: later(-10_000 + i) })),
    ...Array.from({ length: 3 }, () => ({ domain: 'small.test' })),
  ])
  const rows = await claim({ countMax: 20 })
  expect(countBy(rows, (row) => row.domain)).toEqual(
    new Map([
      ['big.test', 17],
      ['small.test', 3],
    ]),
  )
})

test('claimed completely from a team with more destinations than one scan covers', async () => {
  const team = newId()
  const domains = Array.from({ length: 700 }, (_, i) => `d${i}.test`)
  await givenDeliveries(
    database.db,
    team,
    domains.map((domain, i) => ({ domain, isBulk: i % 2 === 0 })),
  )
  const round = newRound()
  const seen: string[] = []
  for (let turn = 0; turn < 10; turn++) seen.push(...(await claim({ round })).map((row) => row.domain))
  expect(seen.sort()).toEqual(domains.sort())
})

test('claimed after a thousand destinations that are skipped', async () => {
  const team = newId()
  const dead = Array.from({ length: 1000 }, (_, i) => `a${i}.test`)
  await givenDeliveries(
    database.db,
    team,
    [...dead, 'z.test'].map((domain) => ({ domain })),
  )
  const rows = await claim({ domainsToSkip: dead })
  expect(rows.map((row) => row.domain)).toEqual(['z.test'])
})

test('claimed eventually from every destination, although the first ones are never empty', async () => {
  const teams = Array.from({ length: 64 }, () => newId())
  for (const team of teams) {
    await givenDeliveries(
      database.db,
      team,
      Array.from({ length: 30 }, (_, i) => ({ domain: `d${String(i).padStart(2, '0')}.test` })),
    )
  }
  const round = newRound()
  const seen = new Set<string>()
  for (let turn = 0; turn < 12; turn++) {
    for (const row of await claim({ round })) if (row.teamId === teams[0]) seen.add(row.domain)
    await givenDeliveries(database.db, teams[0] as string, [
      { domain: 'd00.test' },
      { domain: 'd01.test' },
      { domain: 'd02.test' },
      { domain: 'd03.test' },
    ])
  }
  expect(seen.size).toBe(30)
})

test("transactional before bulk of the same team, which gets one row in twenty, and other teams' shares stay even", async () => {
  const [mixed, other, round] = [newId(), newId(), newRound()]
  const rows = (isBulk: boolean, count: number) =>
    Array.from({ length: count }, (_, i) => ({ domain: `d${i % 3}.test`, isBulk }))
  await givenDeliveries(database.db, mixed, rows(true, 1000))
  await givenDeliveries(database.db, mixed, rows(false, 300))
  await givenDeliveries(database.db, other, rows(true, 1000))
  const first = await claim({ round })
  const kinds = countBy(first, (row) => `${row.teamId === mixed ? 'mixed' : 'other'} ${row.isBulk}`)
  expect(kinds).toEqual(
    new Map([
      ['mixed false', 95],
      ['mixed true', 5],
      ['other true', 100],
    ]),
  )
  // What transactional mail leaves of the share goes to bulk mail.
  const rest = [await claim({ round }), await claim({ round }), await claim({ round })].flat()
  const later = countBy(rest, (row) => `${row.teamId === mixed ? 'mixed' : 'other'} ${row.isBulk}`)
  expect(later.get('mixed false')).toBe(205)
  expect(later.get('mixed true')).toBe(95)
})

test('bulk is claimed in the end although each claim takes one row and transactional mail never ends', async () => {
  const [team, round] = [newId(), newRound()]
  await givenDeliveries(database.db, team, [
    { domain: 'a.test', isBulk: true },
    ...Array.from({ length: 30 }, () => ({ domain: 'a.test' })),
  ])
  const classes: boolean[] = []
  for (let turn = 0; turn < 25; turn++) {
    classes.push(...(await claim({ round, countMax: 1 })).map((row) => row.isBulk))
  }
  expect(classes.filter((isBulk) => isBulk)).toHaveLength(1)
  expect(classes.indexOf(true)).toBe(19)
})

test('no more bulk is claimed than there is room for, and none for destinations that are full of it', async () => {
  const teams = Array.from({ length: 4 }, () => newId())
  for (const team of teams) {
    await givenDeliveries(
      database.db,
      team,
      Array.from({ length: 20 }, (_, i) => ({
        domain: i < 10 ? 'full.test' : 'open.test',
        isBulk: i % 2 === 0,
      })),
    )
  }
  const round = newRound()
  const bulk = { countMax: 3, domainsToSkip: ['full.test'] }
  const first = await claim({ round, bulk })
  expect(countBy(first, (row) => `${row.domain} ${row.isBulk}`)).toEqual(
    new Map([
      ['full.test false', 20],
      ['open.test false', 20],
      ['open.test true', 3],
    ]),
  )
  expect(await claim({ round, bulk: { ...bulk, countMax: 0 } })).toEqual([])
  const rest = await claim({ round, bulk: { ...bulk, countMax: 100 } })
  expect(countBy(rest, (row) => `${row.domain} ${row.isBulk}`)).toEqual(new Map([['open.test true', 17]]))
})

test('bulk mail of each team is claimed in turn although there is room for only one of them', async () => {
  const [teams, round] = [Array.from({ length: 3 }, () => newId()), newRound()]
  const rows = (isBulk: boolean, count: number) =>
    Array.from({ length: count }, () => ({ domain: 'a.test', isBulk }))
  for (const team of teams) {
    await givenDeliveries(database.db, team, [...rows(true, 10), ...rows(false, 100)])
  }
  const claimed: DueDelivery[] = []
  for (let turn = 0; turn < 15; turn++) {
    claimed.push(...(await claim({ round, countMax: 15, bulk: { countMax: 1, domainsToSkip: [] } })))
  }
  const bulkTeams = countBy(
    claimed.filter((row) => row.isBulk),
    (row) => row.teamId,
  )
  expect([...bulkTeams.keys()].sort()).toEqual([...teams].sort())
})

test('transactional backlog is claimed to its end beside more bulk destinations than are remembered, without room for bulk', async () => {
  const [team, round] = [newId(), newRound(() => {}, 10)]
  await givenDeliveries(
    database.db,
    team,
    Array.from({ length: 20 }, (_, i) => ({ domain: `d${i}.test`, isBulk: true })),
  )
  await givenDeliveries(
    database.db,
    team,
    Array.from({ length: 30 }, () => ({ domain: 'a.test' })),
  )
  // So much later that the rows are no news.
  const request = { round, now: later(60_000), countMax: 10 }
  for (let turn = 0; turn < 3; turn++) {
    expect(await claim({ ...request, bulk: { countMax: 0, domainsToSkip: [] } })).toHaveLength(10)
  }
  const bulk: DueDelivery[] = []
  for (let turn = 0; turn < 10; turn++)
    bulk.push(...(await claim({ ...request, now: later(60_000 + turn * 2000) })))
  expect(bulk.filter((row) => row.isBulk)).toHaveLength(20)
})

test('claimed once: twenty concurrent workers never get the same row', async () => {
  for (let i = 0; i < 10; i++) {
    await givenDeliveries(
      database.db,
      newId(),
      Array.from({ length: 50 }, (_, n) => ({ domain: `d${n % 5}.test` })),
    )
  }
  const batches = await Promise.all(
    Array.from({ length: 20 }, () => claim({ nodeId: randomUUID(), countMax: 60, round: newRound() })),
  )
  const keys = batches.flat().map((row) => `${row.emailId}/${row.no}`)
  expect(keys.length).toBeGreaterThan(60)
  expect(new Set(keys).size).toBe(keys.length)
})

test('not claimed until due, then ready; a lease that is not extended is claimed again', async () => {
  const team = newId()
  await givenDeliveries(database.db, team, [{ domain: 'a.test', status: 'scheduled', dueAt: later(1000) }])
  expect(await claim()).toEqual([])
  expect(await database.db.transaction((tx) => promoteDue(tx, later(999)))).toMatchObject({ count: 0 })
  const promoted = await database.db.transaction((tx) => promoteDue(tx, later(1000)))
  expect(promoted).toMatchObject({ count: 1, more: false, released: [{ teamId: team }] })
  const [first] = await claim({ now: later(1000) })
  expect(first).toMatchObject({ attempts: 0, leasedUntilMs: later(1000 + LEASE_MS).getTime() })
  expect(await claim({ nodeId: there, now: later(2000) })).toEqual([])
  await database.db.transaction((tx) => promoteDue(tx, later(999 + LEASE_MS)))
  expect(await claim({ nodeId: there, now: later(999 + LEASE_MS) })).toEqual([])
  const again = await database.db.transaction((tx) => promoteDue(tx, later(1000 + LEASE_MS)))
  expect(again).toMatchObject({ count: 1, released: [] })
  expect(await claim({ nodeId: there, now: later(1000 + LEASE_MS) })).toHaveLength(1)
})

test('leased longer when extended by its holder; a lost lease stays lost', async () => {
  await givenDeliveries(database.db, newId(), [{ domain: 'a.test' }, { domain: 'b.test' }])
  const [mine, lost] = (await claim()) as [DueDelivery, DueDelivery]
  await database.db.query('update delivery set leased_by = $1 where email_id = $2', [there, lost.emailId])
  await extendLeases(database.db, [mine, lost], here, later(30_000))
  expect(mine.leasedUntilMs).toBe(later(30_000 + LEASE_MS).getTime())
  expect(lost.leasedUntilMs).toBe(later(LEASE_MS).getTime())
  await database.db.transaction((tx) => promoteDue(tx, later(LEASE_MS)))
  expect((await claim({ nodeId: there, now: later(LEASE_MS) })).map(keysOf)).toEqual([keysOf(lost)])
})

test('ready again when released, unless another process holds it', async () => {
  await givenDeliveries(database.db, newId(), [
    { domain: 'a.test', dueAt: now },
    { domain: 'b.test', dueAt: now },
  ])
  const [mine, lost] = (await claim()) as [DueDelivery, DueDelivery]
  await database.db.query('update delivery set leased_by = $1 where email_id = $2', [there, lost.emailId])
  await releaseLeases(database.db, [mine, lost], here, later(30_000))
  expect((await claim({ nodeId: there })).map(keysOf)).toEqual([keysOf(mine)])
})

test('ready again at once when the process that held them is gone; those of others and those that wait stay', async () => {
  await givenDeliveries(database.db, newId(), [
    { domain: 'a.test', dueAt: now },
    { domain: 'b.test', dueAt: now },
    { domain: 'c.test', status: 'scheduled', dueAt: later(1000) },
  ])
  const [lost, held] = (await claim()) as [DueDelivery, DueDelivery]
  await database.db.query('update delivery set leased_by = $1 where email_id = $2', [there, held.emailId])
  expect(await releaseLeasesOf(database.db, here, later(10))).toBe(1)
  expect((await claim({ nodeId: there, now: later(20) })).map(keysOf)).toEqual([keysOf(lost)])
  expect(await releaseLeasesOf(database.db, here, later(30))).toBe(0)
})

function settlement(delivery: DueDelivery, status: 'delivered' | 'delivery_delayed') {
  return {
    delivery,
    status,
    dueAt: status === 'delivered' ? null : later(60_000),
    category: 'test',
    smtpCode: 250,
    enhancedCode: null,
    response: null,
    mxHost: null,
    waitsFor: null,
    result: null,
  }
}

const settleAll = (rows: ReturnType<typeof settlement>[], nodeId = here) =>
  database.db.transaction((tx) =>
    settle(
      tx,
      rows.sort((a, b) => byKey(a.delivery, b.delivery)),
      nodeId,
      now,
    ),
  )

test('settled once: the same result a second time changes nothing', async () => {
  await givenDeliveries(database.db, newId(), [{ domain: 'a.test' }, { domain: 'b.test' }])
  const rows = await claim()
  const settlements = rows.map((row, i) => settlement(row, i === 0 ? 'delivered' : 'delivery_delayed'))
  expect(await settleAll(settlements)).toHaveLength(2)
  const states = await statesOf(database.db)
  expect(await settleAll(settlements)).toEqual([])
  expect(await statesOf(database.db)).toEqual(states)
})

test('left to its new holder when the lease was lost, unless its outcome is final', async () => {
  await givenDeliveries(database.db, newId(), [{ domain: 'a.test' }, { domain: 'b.test' }])
  const [delayed, delivered] = (await claim()) as [DueDelivery, DueDelivery]
  await database.db.transaction((tx) => promoteDue(tx, later(LEASE_MS)))
  await claim({ nodeId: there, now: later(LEASE_MS) })
  const changed = await settleAll([
    settlement(delayed, 'delivery_delayed'),
    settlement(delivered, 'delivered'),
  ])
  expect(changed.map(keysOf)).toEqual([keysOf(delivered)])
  // The new holder's own result comes too late to change anything.
  expect(await settleAll([settlement(delivered, 'delivery_delayed')], there)).toEqual([])
  expect(await settleAll([settlement(delayed, 'delivered')], there)).toHaveLength(1)
})
