import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { due, startDelivery, turn } from '../../../test/support/delivery.ts'
import type { DueDelivery } from '../../queue/types.ts'
import { KeptMessages } from './kept-messages.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const KIB = 1024
const withBytes = (bytes: number) => ({
  ...due('bob@to.test'),
  message: { bytes: Buffer.alloc(bytes), smtpUtf8: false },
})

test('forgotten after a minute', () => {
  const kept = new KeptMessages()
  const [old, recent] = [withBytes(10), withBytes(10)]
  kept.keep(old)
  vi.advanceTimersByTime(40_000)
  kept.keep(recent)
  vi.advanceTimersByTime(30_000)
  kept.forgetOld()
  expect(kept.take(old)).toBeNull()
  expect(kept.take(recent)).toBe(recent.message)
})

test('limited to 64 MiB, of which the oldest stay until they are a minute old or taken', () => {
  const kept = new KeptMessages()
  const full = Array.from({ length: 256 }, () => withBytes(256 * KIB))
  for (const delivery of full) kept.keep(delivery)
  const [more, next, later] = [withBytes(1), withBytes(1), withBytes(256 * KIB)]
  kept.keep(more)
  expect(kept.take(more)).toBeNull()
  expect(full.slice(0, 2).map((delivery) => kept.take(delivery))).toEqual([
    full[0]?.message,
    full[1]?.message,
  ])
  kept.keep(next)
  expect(kept.take(next)).toBe(next.message)
  vi.advanceTimersByTime(60_000)
  for (const delivery of full) kept.keep({ ...later, emailId: delivery.emailId.replace(/^./, 'z') })
  expect(kept.take(full[2] ?? later)).toBeNull()
})

test('not kept when it is large: then it is loaded for sending only', () => {
  const kept = new KeptMessages()
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
