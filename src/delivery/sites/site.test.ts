import { expect, onTestFinished, test } from 'vitest'
import { due, resultOf } from '../../../test/support/delivery.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { DueDelivery } from '../../queue/types.ts'
import type { MailConnection } from '../client/mail-connection.ts'
import { shapeSite } from './shaping.ts'
import { Site } from './site.ts'

const unexpected = (): never => {
  throw new Error('not in this test')
}

/**
 * A site whose connections accept every message. A large message first waits for a place in memory: for ever, unless the
 * test gives its address one.
 */
function givenSite(connections: number) {
  const sent: string[] = []
  /** The large messages that a lane has taken, by address. */
  const places = new Map<string, () => void>()
  let passedMs = 0
  const connection = (): MailConnection => ({
    usable: true,
    sentCount: 1,
    close() {},
    async deliver(delivery) {
      const { address, message } = delivery
      if (message === null) await new Promise<void>((resolve) => places.set(address, resolve))
      sent.push(address)
      const result = resultOf(delivery, 'delivered')
      return { result, stale: false, slowDown: false, stage: 'dot', decidedBy: 'message' }
    },
  })
  const limits = { connectionsStart: connections, connectionsMax: connections }
  const source = { name: 'default', address: null, ehloName: 'us.test' }
  const key = { site: 'to.test', source, tls: 'opportunistic', relay: null, hosts: [] }
  const site = new Site(
    key,
    { ...shapeSite([], { hosts: [], partOf: null }), ...limits },
    {
      clock: { now: () => new Date(systemClock.now().getTime() + passedMs) },
      random: () => 0.5,
      probesMs: () => [60_000],
      slicer: { enter: () => null },
      isFirst: () => false,
      open: async () => ({ connection: connection() }),
      findWithdrawal: async () => null,
      outcomes: {
        settled: () => {},
        postponed: unexpected,
        withdrawn: unexpected,
        dropped: unexpected,
        interrupted: unexpected,
      },
      waitingMax: () => 100,
      wake: () => {},
      board: { mayProbe: () => true, paused: unexpected, answered: unexpected, known: () => null },
    },
  )
  onTestFinished(async () => {
    const drained = site.drain()
    for (const givePlace of places.values()) givePlace()
    await drained
  })
  const add = (address: string, changes: Partial<DueDelivery> = {}) =>
    site.add({ ...due(address), teamId: 'other', ...changes })
  /** Moves the clock of the site. */
  const pass = (ms: number) => {
    passedMs += ms
  }
  return { site, sent, places, add, pass }
}

const ofBig = { teamId: 'big', message: null }
const namesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}${n}@to.test`)

test("small mail is delivered while one team's large messages wait for places in memory for ever", async () => {
  const { site, sent, places, add } = givenSite(4)
  for (const address of namesOf('large', 10)) add(address, ofBig)
  await expect.poll(() => places.size).toBe(2)
  const small = namesOf('small', 20)
  for (const address of small) add(address)
  await expect.poll(() => sent.length).toBe(20)
  expect([...sent].sort()).toEqual([...small].sort())
  expect(places.size).toBe(2)
  expect(site.view).toMatchObject({ limit: 4, waiting: 8 })
})

test('a site accepts small mail again after large messages have waited for its connections for seconds', async () => {
  const { site, sent, places, add, pass } = givenSite(4)
  for (const address of namesOf('large', 40)) add(address, ofBig)
  await expect.poll(() => places.size).toBe(2)
  expect(site.accepts(false)).toBe(false)
  pass(5_000)
  expect([site.accepts(false), site.accepts(false, true)]).toEqual([true, false])
  add('small@to.test')
  await expect.poll(() => sent).toEqual(['small@to.test'])
})

test('large messages follow as earlier ones end, and more small mail needs no lane of theirs', async () => {
  const { site, sent, places, add } = givenSite(4)
  const large = namesOf('large', 10)
  for (const address of large) add(address, ofBig)
  for (const [n, address] of large.entries()) {
    await expect.poll(() => places.has(address)).toBe(true)
    add(`small${n}@to.test`)
    await expect.poll(() => sent.includes(`small${n}@to.test`)).toBe(true)
    places.get(address)?.()
  }
  await expect.poll(() => sent.length).toBe(20)
  expect(sent.filter((address) => address.startsWith('large'))).toEqual(large)
  expect(site.view.waiting).toBe(0)
})

test('bulk mail gets a lane when a large bulk message ends, although the lane takes a large message next', async () => {
  const { site, sent, places, add } = givenSite(2)
  add('first@to.test', { ...ofBig, isBulk: true })
  await expect.poll(() => places.has('first@to.test')).toBe(true)
  add('large@to.test', ofBig)
  add('bulk@to.test', { teamId: 'big', isBulk: true })
  expect(site.view.waiting).toBe(2)
  places.get('first@to.test')?.()
  await expect.poll(() => sent).toEqual(['first@to.test', 'bulk@to.test'])
  await expect.poll(() => places.has('large@to.test')).toBe(true)
})

test('the only connection that a site allows sends large messages too', async () => {
  const { sent, places, add } = givenSite(1)
  add('large@to.test', ofBig)
  await expect.poll(() => places.has('large@to.test')).toBe(true)
  places.get('large@to.test')?.()
  await expect.poll(() => sent).toEqual(['large@to.test'])
})
