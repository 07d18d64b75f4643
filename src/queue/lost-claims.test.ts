import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { givenDeliveries, keysOf, statesOf } from '../../test/support/deliveries.ts'
import { openDb } from '../db/db.ts'
import { DatabaseUnavailable } from '../db/db-types.ts'
import { createSignal } from '../lib/async/signal.ts'
import { newId } from '../lib/ids.ts'
import { createLog } from '../lib/log.ts'
import { type Clock, systemClock } from '../lib/time/clock.ts'
import { claimDue, newRound } from './claim.ts'
import { LEASE_MS } from './lease-queries.ts'
import { LostClaims } from './lost-claims.ts'
import type { DeliveryKey, DueDelivery } from './types.ts'
import { type Destination, startWorker } from './worker.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())
beforeEach(() => database.db.query('truncate delivery'))

const here = randomUUID()
const claimAt = new Date()
const [before, after] = [new Date(claimAt.getTime() - 5000), new Date(claimAt.getTime() + 5000)]
const clockAt = (now: Date): Clock => ({ ...systemClock, now: () => now })

/** Queues emails that are due since a while. */
const given = (count: number) =>
  givenDeliveries(
    database.db,
    newId(),
    Array.from({ length: count }, () => ({ domain: 'one.test', dueAt: before })),
  )

const claim = (nodeId: string, now: Date, countMax: number) =>
  claimDue(database.db, { nodeId, now, countMax, domainsToSkip: [], round: newRound() })

/** Notes a claim at `claimAt`, and releases, as the process `here` that holds these deliveries. */
async function release(held: DueDelivery[], now = after): Promise<void> {
  const lost = new LostClaims({ db: database.db, clock: clockAt(now), nodeId: here, held: () => held })
  lost.note(claimAt)
  await lost.release()
}

const readyKeys = async () =>
  (await statesOf(database.db)).filter(({ ready }) => ready === true).map((row) => row.emailId)

test('ready again: what a claim leased whose answer was lost', async () => {
  await given(3)
  const lost = await claim(here, claimAt, 2)
  expect(await readyKeys()).toHaveLength(1)
  await release([])
  const states = await statesOf(database.db)
  expect(states.map(({ ready, leasedBy, leasedUntil }) => ({ ready, leasedBy, leasedUntil }))).toEqual(
    Array.from({ length: 3 }, () => ({ ready: true, leasedBy: null, leasedUntil: null })),
  )
  // Any process finds them by the time of the release.
  const again = await claim(randomUUID(), after, 10)
  expect(again.map(keysOf)).toEqual(expect.arrayContaining(lost.map(keysOf)))
})

test('still leased: what this process holds, what it claimed at other times, and what others claimed', async () => {
  await given(4)
  const [mine = null] = await claim(here, claimAt, 1)
  await claim(here, after, 1)
  await claim(here, before, 1)
  await claim(randomUUID(), claimAt, 1)
  const states = await statesOf(database.db)
  await release([mine as DueDelivery])
  expect(await statesOf(database.db)).toEqual(states)
})

test('still leased: what acceptance handed off at the same time, whose commit may not be known yet', async () => {
  await givenDeliveries(database.db, newId(), [{ domain: 'one.test', dueAt: claimAt }])
  const leasedUntil = new Date(claimAt.getTime() + LEASE_MS)
  await database.db.query('update delivery set ready = false, leased_by = $1, leased_until = $2', [
    here,
    leasedUntil,
  ])
  const states = await statesOf(database.db)
  await release([])
  expect(await statesOf(database.db)).toEqual(states)
})

test('still leased a minute after the claim, when the leases expire by themselves', async () => {
  await given(1)
  await claim(here, claimAt, 1)
  await release([], new Date(claimAt.getTime() + LEASE_MS))
  expect(await readyKeys()).toEqual([])
})

/** Starts a worker over this database. `held` has each delivery as often as it was added. */
function startClaims(add: Destination['add'], claimsTimeoutMs = 30_000, accepted: DeliveryKey[] = []) {
  const held: DueDelivery[] = []
  let claimCount = 0
  const claims = openDb(database.url, { connectionsMax: 2, timeoutMs: claimsTimeoutMs, name: 'claims' })
  const worker = startWorker({
    db: database.db,
    claims,
    clock: systemClock,
    log: createLog('error'),
    nodeId: here,
    signal: createSignal(),
    destination: {
      room: () => 1000,
      domainsToSkip: () => [],
      async yieldTurn() {
        claimCount++
      },
      async add(deliveries) {
        await add(deliveries)
        held.push(...deliveries)
      },
      held: () => held,
      takeLost: () => accepted.splice(0),
      drain: async () => {},
      takeUnbegun: () => [],
    },
  })
  return {
    held,
    /** The number of claims that began. */
    claimCount: () => claimCount,
    stop: () => worker.stop().then(() => claims.close()),
  }
}

/** Less than a lease. */
const POLL = { timeout: 50_000 }

test('claimed again within seconds when the database went away before the content was read', async () => {
  let failed = 0
  const { held, stop } = startClaims(async (deliveries) => {
    if (failed > 0) return
    failed = deliveries.length
    throw new DatabaseUnavailable(new Error('away'))
  })
  await given(5)
  await expect.poll(() => held.length, POLL).toBe(5)
  await stop()
  expect(failed).toBeGreaterThan(0)
  expect(new Set(held.map(({ emailId }) => emailId)).size).toBe(5)
})

test('claimed within seconds when acceptance leased it, by a commit that took effect after its process had given it up', async () => {
  const [teamId, id] = [newId(), newId()]
  const accepted = [{ teamId, emailId: id, no: 0 }]
  const { held, claimCount, stop } = startClaims(async () => {}, 30_000, accepted)
  await expect.poll(claimCount, POLL).toBe(1)
  await database.db.transaction(async (tx) => {
    await givenDeliveries({ ...database.db, transaction: (work) => work(tx) }, teamId, [
      { id, domain: 'one.test' },
    ])
    await tx.query(
      'update delivery set ready = false, leased_by = $1, leased_until = due_at + $2::interval where email_id = $3',
      [here, `${LEASE_MS} ms`, id],
    )
  })
  await expect.poll(() => held.length, POLL).toBe(1)
  // What is held stays leased.
  accepted.push({ teamId, emailId: id, no: 0 })
  const before = claimCount()
  await expect.poll(claimCount, POLL).toBeGreaterThan(before)
  await stop()
  expect(held).toHaveLength(1)
})

/** Lets claims wait in PostgreSQL before they lease a delivery, until the advisory lock 1 is free. */
const SLOW_CLAIMS = `
  create function await_lock() returns trigger language plpgsql set lock_timeout = 0 as $$
  begin
    perform pg_advisory_xact_lock(1);
    return new;
  end $$;
  create trigger slow before update on delivery for each row when (new.leased_by is not null)
    execute function await_lock()`

test('claimed within seconds when a claim took effect after this process had given it up', async () => {
  await given(5)
  const client = await database.db.connect()
  await client.query(SLOW_CLAIMS)
  await client.query('select pg_advisory_lock(1)')
  const { held, claimCount, stop } = startClaims(async () => {}, 1_000)
  await expect.poll(claimCount, POLL).toBe(2)
  expect(held).toEqual([])
  await client.query('select pg_advisory_unlock(1)')
  await expect.poll(() => held.length, POLL).toBe(5)
  await stop()
  await client.query('drop trigger slow on delivery')
  await client.end()
  expect(new Set(held.map(({ emailId }) => emailId)).size).toBe(5)
})
