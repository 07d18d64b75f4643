import { afterEach, expect, test } from 'vitest'
import { newId } from '../base/ids.ts'
import { createLog } from '../base/log.ts'
import { createPrecedence, NO_PRECEDENCE } from '../base/precedence.ts'
import type { DkimKey } from '../mime/dkim.ts'
import type { Report } from '../operations/settle-deliveries.ts'
import type { DeliveryResult, DueDelivery } from '../queue/types.ts'
import { createDeliverer, type DeliverDeps, type Deliverer } from './deliver.ts'
import type { Opened } from './mail-connection.ts'
import type { Routing } from './routing.ts'

/** A machine of one site: what it is asked to open and send, and what it reports. */
interface World {
  deliverer: Deliverer
  /** Addresses given to a connection, in order. */
  sent: string[]
  reports: Report[]
  nowMs: number
  /** How a connection is opened; the usual one takes every message. */
  open(delivery: DueDelivery): Promise<Opened>
  /** Resolves when a report is written. */
  settle(report: Report): Promise<void>
}

const ROUTING: Routing = {
  fixedSites: [],
  prefetch: () => {},
  route: async () => ({ ways: [{ site: 'mx.test', relay: null, hosts: [] }] }),
  domainsOf: () => [],
  isKnownTo: () => false,
}

const worlds: World[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.deliverer.drain()
})

function startWorld(changes: Partial<DeliverDeps> = {}): World {
  const world: World = {
    sent: [],
    reports: [],
    nowMs: Date.now(),
    open: async () => ({ connection: connectionOf(world) }),
    settle: async () => {},
    deliverer: createDeliverer({
      clock: { now: () => new Date(world.nowMs) },
      log: createLog('silent'),
      precedence: NO_PRECEDENCE,
      turns: { enter: () => null, hold: () => () => {} },
      retryScheduleMs: [60_000],
      random: () => 0.5,
      board: { mayProbe: () => true, paused: () => {}, answered: () => {}, known: () => null },
      shaping: () => [],
      probesMs: () => [60_000],
      triedCategoriesOf: async () => new Set(),
      routing: ROUTING,
      sender: async () => ({ tls: 'opportunistic', keys: [{} as DkimKey] }),
      tlsClass: async () => ({ tls: 'opportunistic', usual: 'opportunistic' }),
      pickSource: async () => ({ source: { name: 'default', address: null, ehloName: 'us.test' } }),
      countSources: () => 1,
      open: (_key, delivery) => world.open(delivery),
      prepare: async () => ({ suppressed: new Set() }),
      isSuppressed: async () => false,
      settle: async (report) => {
        world.reports.push(report)
        await world.settle(report)
      },
      wake: () => {},
      ...changes,
    }),
  }
  worlds.push(world)
  return world
}

function connectionOf(world: World) {
  return {
    usable: true,
    sentCount: 1,
    close() {},
    async deliver(delivery: DueDelivery) {
      world.sent.push(delivery.address)
      return { result: resultOf(delivery, 'delivered'), stale: false, slowDown: false, stage: 'dot' as const }
    },
  }
}

function resultOf(delivery: DueDelivery, state: 'delivered' | 'deferred'): DeliveryResult {
  return {
    delivery,
    verdict: {
      state,
      category: 'test',
      fault: null,
      advice: 'Because.',
      suppress: false,
      retryAfterMs: null,
    },
    startedAt: new Date(),
    durationMs: 0,
    smtpCode: null,
    enhancedCode: null,
    response: null,
    mxHost: null,
    mxAddress: null,
    tls: null,
    conversation: [],
  }
}

function due(address: string, leasedUntilMs = Date.now() + 60_000): DueDelivery {
  return {
    teamId: 'team',
    emailId: newId(),
    no: 0,
    address,
    addressKey: address,
    domain: 'to.test',
    domainId: 'domain',
    attempts: 0,
    expiresAt: new Date(Date.now() + 3_600_000),
    createdAt: new Date(),
    recipientCount: 1,
    sizeBytes: 10,
    leasedUntilMs,
    checkedAtMs: Date.now(),
    message: { bytes: Buffer.alloc(10), smtpUtf8: false },
    tags: null,
  }
}

/** Whatever can run without anything new happening outside has run after this: a large claim is begun in many rounds. */
async function turn(): Promise<void> {
  for (let round = 0; round < 100; round++) await new Promise((resolve) => setImmediate(resolve))
}

test('delivered once, though it comes back by a claim while it is still here', async () => {
  const world = startWorld()
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

test('sent before what waits for the same site when its team is expected; in its turn when that is over', async () => {
  const precedence = createPrecedence((teamId) => world.deliverer.hasFew(teamId))
  const world = startWorld({ precedence })
  const { promise, resolve } = Promise.withResolvers<Opened>()
  world.open = () => promise
  const backlog = Array.from({ length: 60 }, (_, n) => ({ ...due(`a${n}@to.test`), teamId: 'large' }))
  await world.deliverer.add(backlog)
  await expect.poll(() => world.deliverer.sites.get('mx.test')?.view.waiting).toBe(59)
  const handIn = (teamId: string) => {
    precedence.expect(teamId)
    expect(world.deliverer.reserve(teamId, 'to.test', 10)).toBe(true)
    world.deliverer.start([{ ...due(`${teamId}@to.test`), teamId }])
  }
  handIn('small')
  expect(precedence.standBack()).not.toBeNull()
  precedence.end('small')
  expect(precedence.standBack()).toBeNull()
  handIn('large')
  expect(precedence.standBack()).toBeNull()
  await expect.poll(() => world.deliverer.sites.get('mx.test')?.view.waiting).toBe(61)
  resolve({ connection: connectionOf(world) })
  await expect.poll(() => world.sent.length).toBe(62)
  expect(world.sent.slice(0, 3)).toEqual(['a0@to.test', 'small@to.test', 'a1@to.test'])
  expect(world.sent.at(-1)).toBe('large@to.test')
})

test('taken from memory though its site is full of the mail of another team', async () => {
  const world = startWorld({ routing: { ...ROUTING, isKnownTo: (_domain, test) => test('mx.test') } })
  const { promise, resolve } = Promise.withResolvers<Opened>()
  world.open = () => promise
  const backlog = Array.from({ length: 1200 }, (_, n) => ({ ...due(`a${n}@to.test`), teamId: 'large' }))
  await world.deliverer.add(backlog)
  await expect.poll(() => world.deliverer.sites.isRefusing('mx.test')).toBe(true)
  expect(world.deliverer.reserve('large', 'to.test', 10)).toBe(false)
  expect(world.deliverer.reserve('small', 'to.test', 10)).toBe(true)
  world.deliverer.forgo('small', 'to.test', 10)
  resolve({ connection: connectionOf(world) })
})

test('suppressed, and never sent, when its address was put on the list while it waited for a slow site', async () => {
  const world = startWorld({ isSuppressed: async ({ address }) => address === 'gone@to.test' })
  const waited = { checkedAtMs: world.nowMs - 10_000 }
  await world.deliverer.add([
    { ...due('gone@to.test'), ...waited },
    { ...due('bob@to.test'), ...waited },
  ])
  await turn()
  expect(world.sent).toEqual(['bob@to.test'])
  expect(world.reports.map((report) => report.kind).sort()).toEqual(['suppressed', 'tried'])
  expect(world.deliverer.heldCount).toBe(0)
})

test('dropped, neither sent nor reported, when its lease ran out while it waited', async () => {
  const world = startWorld()
  await world.deliverer.add([due('late@to.test', world.nowMs - 1), due('bob@to.test')])
  await turn()
  expect(world.sent).toEqual(['bob@to.test'])
  expect(world.reports).toHaveLength(1)
  expect(world.deliverer.heldCount).toBe(0)
})

test('postponed without a try when the fault is ours, and the next one is delivered', async () => {
  const world = startWorld()
  const usual = world.open
  world.open = async () => {
    world.open = usual
    throw new Error('the database is away')
  }
  await world.deliverer.add([due('bob@to.test')])
  await turn()
  expect(world.reports).toMatchObject([{ kind: 'postponed', category: 'internal' }])
  const [report] = world.reports
  expect(report?.kind === 'postponed' && report.until.getTime()).toBe(world.nowMs + 60_000)
  await world.deliverer.add([due('next@to.test')])
  await turn()
  expect(world.sent).toEqual(['next@to.test'])
})

test('failed and never given to a site when its domain has no signing keys', async () => {
  const world = startWorld({ sender: async () => ({ tls: 'opportunistic', keys: [] }) })
  await world.deliverer.add([due('bob@to.test')])
  await turn()
  expect(world.sent).toEqual([])
  expect(world.reports).toMatchObject([
    { kind: 'tried', result: { verdict: { state: 'failed', fault: 'ours' } } },
  ])
})

test('held until it is settled: a drain waits for that, and gives back what was never begun', async () => {
  const world = startWorld()
  const opened = Promise.withResolvers<Opened>()
  const settled = Promise.withResolvers<void>()
  world.open = () => opened.promise
  world.settle = () => settled.promise
  await world.deliverer.add(['a', 'b', 'c', 'd', 'e'].map((name) => due(`${name}@to.test`)))
  await turn()
  let drained: unknown = null
  const draining = world.deliverer.drain().then((unbegun) => {
    drained = unbegun
  })
  opened.resolve({ connection: connectionOf(world) })
  await turn()
  // One asks whether the site answers; the others follow when it does.
  expect(world.sent).toEqual(['a@to.test'])
  expect(drained).toBe(null)
  expect(world.deliverer.room()).toBe(0)
  settled.resolve()
  await draining
  expect(drained).toMatchObject([
    { address: 'b@to.test' },
    { address: 'c@to.test' },
    { address: 'd@to.test' },
    { address: 'e@to.test' },
  ])
})

test('refused a place in memory beyond the bounds of count, of bytes and of one team', () => {
  const { deliverer } = startWorld()
  const mib = 1024 * 1024
  expect(deliverer.reserve('team', 'to.test', 65 * mib)).toBe(false)
  for (let i = 0; i < 63; i++) expect(deliverer.reserve('big', 'to.test', mib)).toBe(true)
  expect(deliverer.reserve('big', 'to.test', 2 * mib)).toBe(false)
  for (let i = 0; i < 63; i++) deliverer.forgo('big', 'to.test', mib)
  const free = deliverer.room()
  for (let i = 0; i < free / 2; i++) expect(deliverer.reserve('team', 'to.test', 1)).toBe(true)
  expect(deliverer.reserve('team', 'to.test', 1)).toBe(false)
  for (let i = 0; i < free / 4; i++) expect(deliverer.reserve('other', 'to.test', 1)).toBe(true)
  for (let i = 0; i < 10; i++) expect(deliverer.reserve('third', 'to.test', 1)).toBe(true)
  expect(deliverer.reserve('third', 'to.test', 1)).toBe(false)
  deliverer.forgo('team', 'to.test', 1)
  expect(deliverer.room()).toBe(free / 4 - 9)
})

test('taken from acceptance, a few of a team, though the backlogs of others fill all other room', async () => {
  const world = startWorld()
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

test('room for others while messages of 200 KiB wait for one slow site, though they are few', async () => {
  const world = startWorld({
    routing: {
      fixedSites: [],
      prefetch: () => {},
      route: async ({ domain }) => ({ ways: [{ site: domain, relay: null, hosts: [] }] }),
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

test('room for a quick site while three slow ones have taken all they may', async () => {
  const slow = ['one.test', 'two.test', 'three.test']
  const world = startWorld({
    routing: {
      fixedSites: [],
      prefetch: () => {},
      route: async ({ domain }) => ({ ways: [{ site: domain, relay: null, hosts: [] }] }),
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

test('woken when a site that was full is half empty, before it stands idle', async () => {
  let wakes = 0
  const world = startWorld({ wake: () => wakes++ })
  const opened = Promise.withResolvers<Opened>()
  world.open = () => opened.promise
  const settled = Promise.withResolvers<void>()
  world.settle = () => settled.promise
  await world.deliverer.add(Array.from({ length: 1200 }, (_, no) => ({ ...due('r@to.test'), no })))
  await turn()
  opened.resolve({ connection: connectionOf(world) })
  for (let i = 0; i < 5; i++) await turn()
  // Nothing is settled yet, so this is the site's word and not that of an empty memory.
  expect(wakes).toBe(1)
  settled.resolve()
})

test('asked by one connection whether it still answers, however many it had before', async () => {
  const world = startWorld()
  // The server closes after each message.
  world.open = async () => ({ connection: { ...connectionOf(world), usable: false } })
  await world.deliverer.add(Array.from({ length: 50 }, (_, i) => due(`r${i}@to.test`)))
  await expect.poll(() => world.sent.length).toBe(50)
  const opened = Promise.withResolvers<Opened>()
  let asked = 0
  world.open = () => {
    asked++
    return opened.promise
  }
  await world.deliverer.add(Array.from({ length: 50 }, (_, i) => due(`s${i}@to.test`)))
  await turn()
  expect(asked).toBe(1)
  const [first] = world.deliverer.held()
  const failed = resultOf(first as DueDelivery, 'deferred')
  opened.resolve({ failed, stage: 'connect', hostsDown: true })
  await expect.poll(() => world.deliverer.heldCount).toBe(0)
  expect(asked).toBe(1)
  expect(world.reports.filter(({ kind }) => kind === 'postponed')).toHaveLength(49)
})

test('given up for now, down to half of the room, when names that nobody answers for hold all of it', async () => {
  const silent = Promise.withResolvers<void>()
  const routing: Routing = {
    fixedSites: [],
    prefetch: () => {},
    domainsOf: () => [],
    isKnownTo: () => false,
    async route({ teamId, address }, waitForDns) {
      if (teamId !== 'other') await waitForDns(silent.promise)
      return teamId === 'other'
        ? { ways: [{ site: 'mx.test', relay: null, hosts: [] }] }
        : { result: resultOf(due(address), 'deferred') }
    },
  }
  const world = startWorld({ routing })
  const add = (teamId: string, count: number) =>
    world.deliverer.add(Array.from({ length: count }, () => ({ ...due('bob@silent.test'), teamId })))
  await add('one', 1900)
  await add('few', 100)
  expect(world.deliverer.room()).toBe(0)
  await expect.poll(() => world.reports.length, { timeout: 5000 }).toBe(950)
  expect(world.deliverer.room()).toBe(950)
  // Mail whose names are known, or answered for, finds room and is not counted.
  await add('other', 500)
  await turn()
  expect(world.sent).toHaveLength(500)
  silent.resolve()
})
