import fc from 'fast-check'
import { expect, test } from 'vitest'
import { due } from '../../../test/support/delivery.ts'
import type { DueDelivery } from '../../queue/types.ts'
import { SiteWaiting } from './site-waiting.ts'

const NOW_MS = 1_000_000_000
const MINUTE_MS = 60_000

interface Kind {
  isBulk: boolean
  isLarge: boolean
}

const SMALL_BULK: Kind = { isBulk: true, isLarge: false }
const LARGE: Kind = { isBulk: false, isLarge: true }
const SMALL: Kind = { isBulk: false, isLarge: false }

function givenWaiting(rate: { count: number; perMs: number } | null, kinds: readonly Kind[]) {
  const postponed: (DueDelivery & { until: Date })[] = []
  /** What the tests change: the time, and what the site answers. */
  const world = { nowMs: NOW_MS, mayTakeLarge: true, waitingMax: 10_000 }
  const waiting = new SiteWaiting(
    {
      name: 'to.test',
      nowMs: () => world.nowMs,
      random: () => 0.5,
      waitingMax: () => world.waitingMax,
      mayTakeLarge: () => world.mayTakeLarge,
      wake: () => {},
      outcomes: { postponed: ({ delivery, until }) => void postponed.push({ ...delivery, until }) },
    },
    rate,
  )
  for (const [n, kind] of kinds.entries()) waiting.putBack(deliveryOf(kind, `team${n % 3}`))
  return { waiting, postponed, world }
}

function deliveryOf({ isBulk, isLarge }: Kind, teamId = 'team'): DueDelivery {
  const delivery = { ...due('bob@to.test'), isBulk, teamId }
  return isLarge ? { ...delivery, message: null } : delivery
}

const KINDS = fc.array(fc.record({ isBulk: fc.boolean(), isLarge: fc.boolean() }), { maxLength: 8 })
const LANES = fc.integer({ min: 0, max: 3 })

test('counts what lanes may take: never more than can be taken, and not 0 while something can be', () => {
  fc.assert(
    fc.property(KINDS, LANES, LANES, (kinds, bulkLanes, largeLanes) => {
      const { waiting } = givenWaiting(null, kinds)
      const most = mostTakeable(kinds, bulkLanes, largeLanes)
      expect(waiting.takeableCount(bulkLanes, largeLanes)).toBe(most)
      expect(waiting.take(bulkLanes > 0, largeLanes > 0) === null).toBe(most === 0)
    }),
  )
})

/** Tries every set of deliveries. */
function mostTakeable(kinds: readonly Kind[], bulkLanes: number, largeLanes: number): number {
  const [first, ...rest] = kinds
  if (first === undefined) return 0
  const [bulkLeft, largeLeft] = [bulkLanes - Number(first.isBulk), largeLanes - Number(first.isLarge)]
  const without = mostTakeable(rest, bulkLanes, largeLanes)
  if (bulkLeft < 0 || largeLeft < 0) return without
  return Math.max(without, 1 + mostTakeable(rest, bulkLeft, largeLeft))
}

test('a lane takes something if the count is not 0, or waits for the rate, while the rate admits no bulk mail', () => {
  fc.assert(
    fc.property(KINDS, LANES, LANES, (kinds, bulkLanes, largeLanes) => {
      // Bulk mail has one of the two messages a minute.
      const { waiting } = givenWaiting({ count: 2, perMs: MINUTE_MS }, [SMALL_BULK])
      expect(waiting.take(true, true)).not.toBeNull()
      for (const kind of kinds) waiting.putBack(deliveryOf(kind))
      if (waiting.rateWaitMs(largeLanes > 0) > 0) return
      const isTakeable = waiting.takeableCount(bulkLanes, largeLanes) > 0
      expect(waiting.take(bulkLanes > 0, largeLanes > 0) !== null).toBe(isTakeable)
    }),
  )
})

test('large mail that may not be taken neither hides that bulk mail waits for the rate, nor is postponed with it', () => {
  const { waiting, postponed } = givenWaiting({ count: 10, perMs: MINUTE_MS }, Array(12).fill(SMALL_BULK))
  for (let n = 0; n < 9; n++) expect(waiting.take(true, true)).not.toBeNull()
  expect(waiting.take(true, true)).toBeNull()
  waiting.putBack(deliveryOf(LARGE))
  expect(waiting.rateWaitMs(true)).toBe(0)
  expect(waiting.rateWaitMs(false)).toBe(MINUTE_MS)
  expect(waiting.takeableCount(1, 0)).toBe(1)
  waiting.postponeForRate()
  expect(postponed.map(({ isBulk }) => isBulk)).toEqual([true, true, true])
  expect(waiting.rateWaitMs(false)).toBe(0)
  expect(waiting.takeableCount(1, 0)).toBe(0)
  expect(waiting.take(true, true)?.message).toBeNull()
})

/** A site for which large messages of one team wait, while no lane may take them. */
function givenStuck(isBulk: boolean, rate: { count: number; perMs: number } | null = null, count = 30) {
  const given = givenWaiting(rate, [])
  given.world.mayTakeLarge = false
  for (let n = 0; n < count; n++) given.waiting.add(deliveryOf({ isBulk, isLarge: true }), false)
  return given
}

test.each([false, true])(
  'large messages that no lane may take for seconds leave the room to small ones: bulk %s',
  (isBulk) => {
    const { waiting, postponed, world } = givenStuck(isBulk)
    world.nowMs += 4_999
    expect([waiting.isFullOf(isBulk), waiting.isFullOfLarge(isBulk)]).toEqual([true, false])
    world.nowMs += 1
    expect([waiting.isFullOf(isBulk), waiting.isFullOfLarge(isBulk)]).toEqual([false, true])
    expect(waiting.isFullOfLarge(!isBulk)).toBe(false)
    for (let n = 0; n < 25; n++) {
      expect(waiting.isFullOf(isBulk)).toBe(false)
      waiting.add(deliveryOf({ isBulk, isLarge: false }), false)
    }
    expect(waiting.isFullOf(isBulk)).toBe(true)
    expect(postponed).toEqual([])
    world.mayTakeLarge = true
    expect(waiting.isFullOfLarge(isBulk)).toBe(false)
  },
)

test('stuck large messages beyond their room return to the database, but each team has a few here', () => {
  const { waiting, postponed, world } = givenStuck(false)
  world.nowMs += 5_000
  const add = (teamId: string) => waiting.add(deliveryOf(LARGE, teamId), false)
  expect(add('team')).toBe(false)
  expect(Array.from({ length: 6 }, () => add('other'))).toEqual([true, true, true, true, true, false])
  expect(waiting.add(deliveryOf(SMALL), false)).toBe(true)
  expect(postponed.map(({ teamId }) => teamId)).toEqual(['team', 'other'])
  // However many teams there are, the room that is left to the site bounds them all.
  world.waitingMax = 40
  for (let n = 0; n < 100; n++) add(`team${n}`)
  expect(waiting.size).toBe(41)
  expect(postponed).toHaveLength(2 + 95)
})

test('the more large messages wait in the database, the later they return, but not later than after ten minutes', () => {
  const { waiting, postponed, world } = givenStuck(false)
  world.nowMs += 5_000
  for (let n = 0; n < 50; n++) expect(waiting.add(deliveryOf(LARGE, 'team'), false)).toBe(false)
  const waitsMs = postponed.map(({ until }) => until.getTime() - world.nowMs)
  // 20 s apart, as the site takes none, and up to 3 s later.
  for (const [n, waitMs] of waitsMs.entries()) {
    const atMs = Math.min(30_000 + n * 20_000, 600_000)
    expect(waitMs).toBeGreaterThanOrEqual(atMs)
    expect(waitMs).toBeLessThanOrEqual(atMs + 3_000)
  }
})

test('large messages that the site goes on taking use the room like small ones, and none returns', () => {
  const { waiting, postponed, world } = givenStuck(false, null, 100)
  world.nowMs += 5_000
  for (let n = 0; n < 60; n++) expect(waiting.take(true, true)).not.toBeNull()
  world.waitingMax = 40
  expect([waiting.isFullOf(false), waiting.isFullOfLarge(false)]).toEqual([true, false])
  expect(waiting.add(deliveryOf(LARGE), false)).toBe(true)
  expect(postponed).toEqual([])
})

test('a small message is not postponed for the rate because of stuck large ones', () => {
  const { waiting, postponed, world } = givenStuck(false, { count: 6, perMs: MINUTE_MS }, 2)
  world.nowMs += 5_000
  expect(waiting.add(deliveryOf(SMALL), false)).toBe(true)
  expect(postponed).toEqual([])
  expect(waiting.take(true, false)).toMatchObject({ message: { smtpUtf8: false } })
})

const STEPS = fc.array(
  fc.record({
    isBulk: fc.boolean(),
    isLarge: fc.boolean(),
    team: fc.nat(3),
    mayTakeLarge: fc.boolean(),
    passedMs: fc.constantFrom(0, 0, 0, 3_000),
    takes: fc.boolean(),
  }),
  { minLength: 50, maxLength: 300 },
)

test('each delivery is taken, returns to the database or waits, once, whatever the site may take and when', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const { waiting, postponed, world } = givenWaiting(null, [])
      world.waitingMax = 20
      const taken: DueDelivery[] = []
      for (const { team, mayTakeLarge, passedMs, takes, ...kind } of steps) {
        world.mayTakeLarge = mayTakeLarge
        world.nowMs += passedMs
        waiting.add(deliveryOf(kind, `team${team}`), false)
        const next = takes ? waiting.take(true, mayTakeLarge) : null
        if (next !== null) taken.push(next)
      }
      const all = [...taken, ...postponed, ...waiting.takeAll()]
      expect(new Set(all).size).toBe(steps.length)
      expect(all).toHaveLength(steps.length)
      expect(postponed.every(({ message }) => message === null)).toBe(true)
    }),
  )
})
