import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { due, ROUTING, resultOf, startDelivery, turn } from '../../../test/support/delivery.ts'
import type { DueDelivery } from '../../queue/types.ts'
import { KeptMessages } from './kept-messages.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const KIB = 1024
const withBytes = (bytes: number) => ({
  ...due('bob@to.test'),
  message: { bytes: Buffer.alloc(bytes), smtpUtf8: false },
})

test('forgotten after a quarter of a minute', () => {
  const kept = new KeptMessages(1)
  const [old, recent] = [withBytes(10), withBytes(10)]
  kept.keep(old)
  vi.advanceTimersByTime(10_000)
  kept.keep(recent)
  vi.advanceTimersByTime(5000)
  kept.forgetOld()
  expect(kept.take(old)).toBeNull()
  expect(kept.take(recent)).toBe(recent.message)
})

test.each([1, 4])('limited to 64 MiB divided by %i workers, of which the oldest stay', (workers) => {
  const kept = new KeptMessages(workers)
  const full = Array.from({ length: 256 / workers }, () => withBytes(256 * KIB))
  for (const delivery of full) kept.keep(delivery)
  const [early, late] = [withBytes(1), withBytes(1)]
  kept.keep(early)
  const [first, second, third] = full as [DueDelivery, DueDelivery, DueDelivery]
  expect([early, first, second].map((delivery) => kept.take(delivery))).toEqual([
    null,
    first.message,
    second.message,
  ])
  kept.keep(late)
  expect(kept.take(late)).toBe(late.message)
  vi.advanceTimersByTime(15_000)
  for (const _ of full) kept.keep(withBytes(256 * KIB))
  expect(kept.take(third)).toBeNull()
})

test('not kept when it is large: then it is loaded for sending only', () => {
  const kept = new KeptMessages(1)
  const large = withBytes(256 * KIB + 1)
  kept.keep(large)
  expect(kept.take(large)).toBeNull()
})

test('claimed with the message that acceptance kept, once, and not for a second attempt', async () => {
  const prepared: boolean[] = []
  const world = startDelivery({
    async prepare(deliveries) {
      prepared.push(...deliveries.map(({ message }) => message !== null))
      return { withdrawn: new Map() }
    },
  })
  const claim = (delivery: DueDelivery) => world.deliverer.add([{ ...delivery, message: null }])
  const [once, twice, several] = [due('once@to.test'), due('twice@to.test'), due('several@to.test')]
  for (const delivery of [once, twice, { ...several, recipientCount: 2 }]) world.deliverer.keep(delivery)
  await claim(once)
  await turn()
  await claim(once)
  await claim({ ...twice, attempts: 1 })
  await claim(several)
  expect(prepared).toEqual([true, false, false, false])
  await turn()
})

test('not kept: bulk mail, and mail to a relay that accepts nothing now', async () => {
  const prepared: boolean[] = []
  const world = startDelivery({
    routing: { ...ROUTING, fixedSites: ['mx.test'] },
    async prepare(deliveries) {
      prepared.push(...deliveries.map(({ message }) => message !== null))
      return { withdrawn: new Map() }
    },
  })
  const claim = (delivery: DueDelivery) => world.deliverer.add([{ ...delivery, message: null }])
  const [bulk, paused] = [{ ...due('bulk@to.test'), isBulk: true }, due('paused@to.test')]
  world.deliverer.keep(bulk)
  world.open = async (delivery) => ({
    failed: resultOf(delivery, 'deferred'),
    stage: 'connect',
    hostsDown: true,
  })
  await claim(bulk)
  await turn()
  world.deliverer.keep(paused)
  await claim(paused)
  expect(prepared).toEqual([false, false])
  await turn()
})
