import { expect, test } from 'vitest'
import { connectionOf, due, ROUTING, resultOf, startDelivery, turn } from '../../../test/support/delivery.ts'
import { DatabaseUnavailable } from '../../db/db-types.ts'
import type { DueDelivery } from '../../queue/types.ts'
import type { Opened } from '../client/mail-connection.ts'
import type { Routing } from '../routing/routing.ts'

test('delivered once although it is claimed again while still held', async () => {
  const world = startDelivery()
  const { promise, resolve } = Promise.withResolvers<Opened>()
  world.open = () => promise
  const first = due('bob@to.test')
  await world.deliverer.add([first])
  await world.deliverer.add([{ ...first, leasedUntilMs: first.leasedUntilMs + 60_000 }])
  await turn()
  expect(world.deliverer.heldCount).toBe(1)
  expect(first.leasedUntilMs).toBeGreaterThan(Date.now() + 100_000)
  resolve({ connection: connectionOf(world) })
  await turn()
  expect(world.sent).toEqual(['bob@to.test'])
  expect(world.deliverer.heldCount).toBe(0)
})

test('counted as handed off until it is settled, unless it was claimed', async () => {
  const world = startDelivery()
  const { promise, resolve } = Promise.withResolvers<Opened>()
  world.open = () => promise
  const accepted = due('bob@to.test')
  expect(world.deliverer.reserve(accepted.teamId, 'to.test', 0)).toBe(true)
  world.deliverer.start([accepted])
  await world.deliverer.add([due('claimed@to.test')])
  expect(world.deliverer.handedOffCount).toBe(1)
  resolve({ connection: connectionOf(world) })
  await turn()
  expect(world.deliverer.handedOffCount).toBe(0)
})

test('signed ahead while the process holds little else', async () => {
  const ahead: string[] = []
  const world = startDelivery({ signAhead: ({ address }) => void ahead.push(address) })
  const { promise, resolve } = Promise.withResolvers<Opened>()
  world.open = () => promise
  world.deliverer.prepare(due('idle@to.test'))
  await world.deliverer.add(Array.from({ length: 20 }, (_, no) => due(`busy${no}@to.test`)))
  world.deliverer.prepare(due('late@to.test'))
  expect(ahead).toEqual(['idle@to.test'])
  resolve({ connection: connectionOf(world) })
  await turn()
})

const OUTAGE = new DatabaseUnavailable(null)

test.each([
  { fault: 'an internal fault: by the schedule', error: new Error('no content'), ageMs: 0, waitMs: 60_000 },
  { fault: 'an outage of the database: a moment', error: OUTAGE, ageMs: 0, waitMs: 1000 },
  { fault: 'an outage, once it is old: a tenth of its age', error: OUTAGE, ageMs: 300_000, waitMs: 30_000 },
  { fault: 'an outage, at last: by the schedule', error: OUTAGE, ageMs: 3_600_000, waitMs: 60_000 },
])(
  'postponed without an attempt after $fault, and the next one is delivered',
  async ({ error, ageMs, waitMs }) => {
    const world = startDelivery()
    const usual = world.open
    world.open = async () => {
      world.open = usual
      throw error
    }
    await world.deliverer.add([{ ...due('bob@to.test'), createdAt: new Date(world.nowMs - ageMs) }])
    await turn()
    expect(world.reports).toMatchObject([{ kind: 'postponed', category: 'internal' }])
    const [report] = world.reports
    expect(report?.kind === 'postponed' && report.until.getTime()).toBe(world.nowMs + waitMs)
    await world.deliverer.add([due('next@to.test')])
    await turn()
    expect(world.sent).toEqual(['next@to.test'])
  },
)

test('failed without reaching a site when its domain has no signing keys', async () => {
  const world = startDelivery({ sender: async () => ({ tls: 'opportunistic', keys: [] }) })
  await world.deliverer.add([due('bob@to.test')])
  await turn()
  expect(world.sent).toEqual([])
  expect(world.reports).toMatchObject([
    { kind: 'attempted', result: { verdict: { state: 'failed', fault: 'ours' } } },
  ])
})

test('held until it is settled: a drain waits for that, and gives back at once what never started', async () => {
  const world = startDelivery()
  const opened = Promise.withResolvers<Opened>()
  const settled = Promise.withResolvers<void>()
  world.open = () => opened.promise
  world.settle = () => settled.promise
  await world.deliverer.add(['a', 'b', 'c', 'd', 'e'].map((name) => due(`${name}@to.test`)))
  await turn()
  let isDrained = false
  const draining = world.deliverer.drain().then(() => {
    isDrained = true
  })
  const addresses = ['b@to.test', 'c@to.test', 'd@to.test', 'e@to.test']
  expect(world.deliverer.takeUnbegun()).toMatchObject(addresses.map((address) => ({ address })))
  expect(world.deliverer.held()).toMatchObject([{ address: 'a@to.test' }])
  opened.resolve({ connection: connectionOf(world) })
  await turn()
  // One connection probes whether the site answers; the others follow when it does.
  expect(world.sent).toEqual(['a@to.test'])
  expect(isDrained).toBe(false)
  expect(world.deliverer.room()).toBe(0)
  settled.resolve()
  await draining
  expect(world.deliverer.takeUnbegun()).toEqual([])
})

test('given back, and not awaited by a drain, when acceptance hands it off while the last session ends', async () => {
  const world = startDelivery()
  const settled = Promise.withResolvers<void>()
  world.settle = () => settled.promise
  await world.deliverer.add([due('bob@to.test')])
  await turn()
  expect(world.deliverer.reserve('team', 'to.test', 10)).toBe(true)
  const draining = world.deliverer.drain()
  await turn()
  world.deliverer.start([due('late@to.test')])
  await turn()
  settled.resolve()
  await draining
  expect(world.sent).toEqual(['bob@to.test'])
  expect(world.deliverer.takeUnbegun()).toMatchObject([{ address: 'late@to.test' }])
})

test('refused a place in memory beyond the limits on count, bytes and one team', () => {
  const { deliverer } = startDelivery()
  const mib = 1024 * 1024
  expect(deliverer.reserve('team', 'to.test', 65 * mib)).toBe(false)
  for (let i = 0; i < 63; i++) expect(deliverer.reserve('big', 'to.test', mib)).toBe(true)
  expect(deliverer.reserve('big', 'to.test', 2 * mib)).toBe(false)
  for (let i = 0; i < 63; i++) deliverer.cancelReservation('big', mib)
  const free = deliverer.room()
  for (let i = 0; i < free / 2; i++) expect(deliverer.reserve('team', 'to.test', 1)).toBe(true)
  expect(deliverer.reserve('team', 'to.test', 1)).toBe(false)
  for (let i = 0; i < free / 4; i++) expect(deliverer.reserve('other', 'to.test', 1)).toBe(true)
  for (let i = 0; i < 10; i++) expect(deliverer.reserve('third', 'to.test', 1)).toBe(true)
  expect(deliverer.reserve('third', 'to.test', 1)).toBe(false)
  deliverer.cancelReservation('team', 1)
  expect(deliverer.room()).toBe(free / 4 - 9)
})

test("accepted from a team with little mail although other teams' backlogs fill the rest of memory", async () => {
  const world = startDelivery()
  const opened = Promise.withResolvers<Opened>()
  world.open = () => opened.promise
  const claimed = Array.from({ length: 2000 }, (_, no) => ({ ...due('r@to.test'), no }))
  await world.deliverer.add(claimed)
  expect(world.deliverer.room()).toBe(0)
  expect(world.deliverer.reserve('other', 'quick.test', 1)).toBe(true)
  expect(world.deliverer.reserve('team', 'quick.test', 1)).toBe(false)
  for (let team = 1; team < 200; team++)
    expect(world.deliverer.reserve(`team ${team}`, 'quick.test', 1)).toBe(true)
  expect(world.deliverer.reserve('one more', 'quick.test', 1)).toBe(false)
  opened.resolve({ connection: connectionOf(world) })
})

test('room for others while a few messages of 200 KiB wait for one slow site', async () => {
  const world = startDelivery({
    routing: {
      fixedSites: [],
      prefetch: () => {},
      route: async ({ domain }) => ({ hops: [{ site: domain, relay: null, hosts: [] }] }),
      domainsOf: (test) => ['to.test'].filter(test),
      isKnownTo: (domain, test) => test(domain),
    },
  })
  const opened = Promise.withResolvers<Opened>()
  world.open = () => opened.promise
  const message = { bytes: Buffer.alloc(200 * 1024), smtpUtf8: false }
  for (let no = 0; !world.deliverer.domainsToSkip().includes('to.test'); no++) {
    await world.deliverer.add([{ ...due('r@to.test'), no, message }])
    await turn()
  }
  expect(world.deliverer.room()).toBeGreaterThan(500)
  opened.resolve({ connection: connectionOf(world) })
})

test('room for a fast site while three slow ones hold all that they may', async () => {
  const slow = ['one.test', 'two.test', 'three.test']
  const world = startDelivery({
    routing: {
      fixedSites: [],
      prefetch: () => {},
      route: async ({ domain }) => ({ hops: [{ site: domain, relay: null, hosts: [] }] }),
      domainsOf: (test) => slow.filter(test),
      isKnownTo: (domain, test) => test(domain),
    },
  })
  const opened = Promise.withResolvers<Opened>()
  const usual = world.open
  world.open = (delivery) => (slow.includes(delivery.domain) ? opened.promise : usual(delivery))
  for (const domain of slow) {
    while (!world.deliverer.domainsToSkip().includes(domain)) {
      await world.deliverer.add(
        Array.from({ length: 50 }, (_, no) => ({ ...due(`r@${domain}`), domain, no })),
      )
      await turn()
    }
  }
  expect(world.deliverer.room()).toBeGreaterThanOrEqual(200)
  await world.deliverer.add([{ ...due('bob@quick.test'), domain: 'quick.test' }])
  await turn()
  expect(world.sent).toEqual(['bob@quick.test'])
  opened.resolve({ connection: connectionOf(world) })
})

test('woken when a full site is half empty, before it is idle', async () => {
  let wakes = 0
  const world = startDelivery({ wake: () => wakes++ })
  const opened = Promise.withResolvers<Opened>()
  world.open = () => opened.promise
  const settled = Promise.withResolvers<void>()
  world.settle = () => settled.promise
  await world.deliverer.add(Array.from({ length: 1200 }, (_, no) => ({ ...due('r@to.test'), no })))
  await turn()
  opened.resolve({ connection: connectionOf(world) })
  for (let i = 0; i < 5; i++) await turn()
  // Nothing is settled yet, so the site woke it, not freed memory.
  expect(wakes).toBe(1)
  settled.resolve()
})

test('probed by one connection, even if it had many before', async () => {
  const world = startDelivery()
  // The server closes after each message.
  world.open = async () => ({ connection: { ...connectionOf(world), usable: false } })
  await world.deliverer.add(Array.from({ length: 50 }, (_, i) => due(`r${i}@to.test`)))
  await expect.poll(() => world.sent.length).toBe(50)
  const opened = Promise.withResolvers<Opened>()
  let openCount = 0
  world.open = () => {
    openCount++
    return opened.promise
  }
  await world.deliverer.add(Array.from({ length: 50 }, (_, i) => due(`s${i}@to.test`)))
  await turn()
  expect(openCount).toBe(1)
  const [first] = world.deliverer.held()
  const failed = resultOf(first as DueDelivery, 'deferred')
  opened.resolve({ failed, stage: 'connect', hostsDown: true })
  await expect.poll(() => world.deliverer.heldCount).toBe(0)
  expect(openCount).toBe(1)
  expect(world.reports.filter(({ kind }) => kind === 'postponed')).toHaveLength(49)
})

test('deferred, down to half of the room, when domains without DNS answers hold all of it', async () => {
  const silent = Promise.withResolvers<void>()
  const routing: Routing = {
    fixedSites: [],
    prefetch: () => {},
    domainsOf: () => [],
    isKnownTo: () => false,
    async route({ teamId, address }, waitForDns) {
      if (teamId !== 'other') await waitForDns(silent.promise)
      return teamId === 'other'
        ? { hops: [{ site: 'mx.test', relay: null, hosts: [] }] }
        : { result: resultOf(due(address), 'deferred') }
    },
  }
  const world = startDelivery({ routing })
  const add = (teamId: string, count: number) =>
    world.deliverer.add(Array.from({ length: count }, () => ({ ...due('bob@silent.test'), teamId })))
  await add('one', 1900)
  await add('few', 100)
  expect(world.deliverer.room()).toBe(0)
  await expect.poll(() => world.reports.length, { timeout: 60_000 }).toBe(950)
  expect(world.deliverer.room()).toBe(950)
  // Mail with resolved or answering domains finds room and is not counted.
  await add('other', 500)
  await turn()
  expect(world.sent).toHaveLength(500)
  silent.resolve()
})

const bulkOf = (no: number, domain = 'to.test') => ({ ...due(`b${no}@${domain}`), domain, isBulk: true })

test('room for transactional mail however much bulk mail there is: bulk fills half of it', async () => {
  const world = startDelivery({ routing: { ...ROUTING, isKnownTo: (_domain, test) => test('mx.test') } })
  const opened = Promise.withResolvers<Opened>()
  world.open = () => opened.promise
  const free = world.deliverer.room()
  for (let no = 0; world.deliverer.room(true) > 0; no++) {
    await world.deliverer.add([bulkOf(no, `d${no % 3}.test`)])
  }
  await turn()
  expect(world.deliverer.heldBulkCount).toBe(free / 2)
  expect(world.deliverer.room()).toBe(free / 2)
  expect(world.deliverer.reserve('team', 'to.test', 1, true)).toBe(false)
  // The site is full of bulk mail, but not for transactional mail, of this team as of others.
  expect(world.deliverer.sites.isRefusing('mx.test', true)).toBe(true)
  expect(world.deliverer.sites.isRefusing('mx.test')).toBe(false)
  for (let no = 0; no < free / 4; no++) {
    expect(world.deliverer.reserve('team', 'to.test', 1)).toBe(true)
  }
  opened.resolve({ connection: connectionOf(world) })
})

test('bulk accepted into memory up to three quarters of its half, half of its half from one team', () => {
  const { deliverer } = startDelivery()
  const mib = 1024 * 1024
  const free = deliverer.room(true)
  expect(deliverer.reserve('big', 'to.test', 33 * mib, true)).toBe(false)
  for (let i = 0; i < free / 2; i++) expect(deliverer.reserve('team', 'to.test', 1, true)).toBe(true)
  expect(deliverer.reserve('team', 'to.test', 1, true)).toBe(false)
  for (let i = 0; i < free / 4; i++) expect(deliverer.reserve('other', 'to.test', 1, true)).toBe(true)
  expect(deliverer.reserve('third', 'to.test', 1, true)).toBe(false)
  expect(deliverer.room(true)).toBe(free / 4)
  deliverer.cancelReservation('team', 1, true)
  expect(deliverer.room(true)).toBe(free / 4 + 1)
})

test('sent while slow bulk messages of the same team hold all connections to the site but one', async () => {
  const world = startDelivery()
  const slow = Promise.withResolvers<void>()
  const usual = connectionOf(world)
  world.open = async () => ({
    connection: {
      ...usual,
      async deliver(delivery: DueDelivery) {
        if (delivery.isBulk) await slow.promise
        return usual.deliver(delivery)
      },
    },
  })
  await world.deliverer.add(Array.from({ length: 30 }, (_, no) => due(`r${no}@to.test`)))
  await expect.poll(() => world.sent.length).toBe(30)
  await world.deliverer.add(Array.from({ length: 100 }, (_, no) => bulkOf(no)))
  await turn()
  const { limit = 0, waiting } = world.deliverer.sites.get('mx.test')?.view ?? {}
  expect(limit).toBeGreaterThan(1)
  expect(waiting).toBe(100 - (limit - 1))
  await world.deliverer.add([due('urgent@to.test')])
  await expect.poll(() => world.sent.at(-1)).toBe('urgent@to.test')
  slow.resolve()
  await expect.poll(() => world.sent.length).toBe(131)
})

test('bulk mail alone is sent through the only connection that a site allows', async () => {
  const single = { mx: null, domain: null, messagesPerConnection: null, rate: null, replies: [] }
  const shaping = () => [{ ...single, name: 'single', connectionsMax: 1, connectionsStart: 1 }]
  const world = startDelivery({ shaping })
  await world.deliverer.add(Array.from({ length: 30 }, (_, no) => bulkOf(no)))
  await expect.poll(() => world.sent.length).toBe(30)
  expect(world.deliverer.heldBulkCount).toBe(0)
})

test('sent before bulk mail of the same team that waits for the site', async () => {
  const world = startDelivery()
  const { promise, resolve } = Promise.withResolvers<Opened>()
  world.open = () => promise
  await world.deliverer.add(Array.from({ length: 40 }, (_, no) => bulkOf(no)))
  await world.deliverer.add(Array.from({ length: 40 }, (_, no) => due(`r${no}@to.test`)))
  await expect.poll(() => world.deliverer.sites.get('mx.test')?.view.waiting).toBe(79)
  resolve({ connection: connectionOf(world) })
  await expect.poll(() => world.sent.length).toBe(80)
  const bulkPlaces = world.sent.flatMap((address, place) => (address.startsWith('b') ? [place] : []))
  expect(bulkPlaces.slice(0, 4)).toEqual([0, 20, 40, 43])
})
