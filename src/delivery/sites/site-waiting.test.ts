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

function givenWaiting(rate: { count: number; perMs: number } | null, kinds: readonly Kind[]) {
  const postponed: DueDelivery[] = []
  const waiting = new SiteWaiting(
    {
      name: 'to.test',
      nowMs: () => NOW_MS,
      random: () => 0.5,
      waitingMax: () => 10_000,
      wake: () => {},
      outcomes: { postponed: ({ delivery }) => void postponed.push(delivery) },
    },
    rate,
  )
  for (const [n, kind] of kinds.entries()) waiting.putBack(deliveryOf(kind, `team${n % 3}`))
  return { waiting, postponed }
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
