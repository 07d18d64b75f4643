import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createDatabase } from '../../test/support/database.ts'
import { givenDeliveries, statesOf } from '../../test/support/deliveries.ts'
import { connectionOf, due, startDelivery } from '../../test/support/delivery.ts'
import { DatabaseUnavailable, type Db } from '../db/db-types.ts'
import type { Opened } from '../delivery/client/mail-connection.ts'
import { createSignal } from '../lib/async/signal.ts'
import { newId } from '../lib/ids.ts'
import { createLog } from '../lib/log.ts'
import { systemClock } from '../lib/time/clock.ts'
import { LEASE_MS } from './lease-queries.ts'
import type { DueDelivery } from './types.ts'
import { startWorker, type WorkerDeps } from './worker.ts'

test('claimed a few at a time while slow destinations hold almost all of the room', async () => {
  const database = await createDatabase()
  await givenDeliveries(
    database.db,
    newId(),
    Array.from({ length: 5 }, () => ({ domain: 'quick.test' })),
  )
  const added: DueDelivery[] = []
  const worker = startWorker({
    db: database.db,
    claims: database.db,
    clock: systemClock,
    log: createLog('error'),
    nodeId: randomUUID(),
    signal: createSignal(),
    destination: {
      room: () => 3,
      domainsToSkip: () => [],
      yieldTurn: async () => {},
      add: async (deliveries) => void added.push(...deliveries),
      held: () => added,
      takeLost: () => [],
      drain: async () => {},
      takeUnbegun: () => [],
    },
  })
  await expect.poll(() => added.length, { timeout: 60_000 }).toBe(5)
  await worker.stop()
  await database.drop()
})

test('stopped while an SMTP session hangs: what never started is ready again before the session ends', async () => {
  const database = await createDatabase()
  onTestFinished(database.drop)
  const domain = { mx: null, domain: null, messagesPerConnection: null, rate: null, replies: [] }
  const world = startDelivery({
    shaping: () => [{ ...domain, name: 'single', connectionsMax: 1, connectionsStart: 1 }],
  })
  const session = Promise.withResolvers<Opened>()
  world.open = () => session.promise
  onTestFinished(() => session.resolve({ connection: connectionOf(world) }))
  const times = Array.from({ length: 51 }, () => ({ domain: 'slow.test' }))
  await givenDeliveries(database.db, newId(), times)
  const worker = startWorker({
    db: database.db,
    claims: database.db,
    clock: systemClock,
    log: createLog('error'),
    nodeId: randomUUID(),
    signal: createSignal(),
    destination: world.deliverer,
  })
  const countReady = async () => (await statesOf(database.db)).filter(({ ready }) => ready === true).length
  const countWaiting = () => world.deliverer.sites.get('mx.test')?.view.waiting
  await expect.poll(countWaiting, { timeout: 60_000 }).toBe(50)
  expect(await countReady()).toBe(0)
  const stopped = worker.stop()
  await expect.poll(countReady, { timeout: 30_000 }).toBe(50)
  expect(world.sent).toEqual([])
  session.resolve({ connection: connectionOf(world) })
  await stopped
  expect(world.sent).toHaveLength(1)
  expect(await countReady()).toBe(50)
})

test('extended again after a second until it succeeds when the database was away', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const calls: PromiseWithResolvers<never[]>[] = []
  const answered = (index: number) => calls[index]?.resolve([])
  const db = {
    query() {
      const call = Promise.withResolvers<never[]>()
      calls.push(call)
      return call.promise
    },
  } as unknown as Db
  const held = [due('bob@to.test')]
  const destination: WorkerDeps['destination'] = {
    room: () => 0,
    domainsToSkip: () => [],
    yieldTurn: async () => {},
    add: async () => {},
    held: () => held,
    takeLost: () => [],
    drain: async () => {},
    takeUnbegun: () => [],
  }
  const away: Db['transaction'] = () => Promise.reject(new DatabaseUnavailable(null))
  const worker = startWorker({
    db,
    claims: { ...db, transaction: away },
    clock: systemClock,
    log: createLog('silent'),
    nodeId: randomUUID(),
    signal: createSignal(),
    destination,
  })
  await vi.advanceTimersByTimeAsync(20_000)
  expect(calls).toHaveLength(1)
  // One that waits for its answer is not repeated.
  await vi.advanceTimersByTimeAsync(5_000)
  expect(calls).toHaveLength(1)
  for (const count of [2, 3]) {
    calls.at(-1)?.reject(new DatabaseUnavailable(null))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(calls).toHaveLength(count)
  }
  answered(2)
  await vi.advanceTimersByTimeAsync(19_000)
  expect(calls).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(calls).toHaveLength(4)
  const stopped = worker.stop()
  answered(3)
  await vi.advanceTimersByTimeAsync(LEASE_MS)
  await stopped
  expect(calls).toHaveLength(4)
})
