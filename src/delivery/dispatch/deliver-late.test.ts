import { expect, test } from 'vitest'
import { connectionOf, due, startDelivery, turn } from '../../../test/support/delivery.ts'
import type { DueDelivery } from '../../queue/types.ts'
import type { Opened } from '../client/mail-connection.ts'

test('suppressed, and never sent, when its address was suppressed while it waited for a slow site', async () => {
  const world = startDelivery({
    findWithdrawal: async ({ address }) => (address === 'gone@to.test' ? 'suppressed' : null),
  })
  const waited = { checkedAtMs: world.nowMs - 10_000 }
  await world.deliverer.add([
    { ...due('gone@to.test'), ...waited },
    { ...due('bob@to.test'), ...waited },
  ])
  await turn()
  expect(world.sent).toEqual(['bob@to.test'])
  expect(world.reports.map((report) => report.kind).sort()).toEqual(['attempted', 'suppressed'])
  expect(world.deliverer.heldCount).toBe(0)
})

test('postponed when its address cannot be checked again, and the connection carries the next one', async () => {
  const world = startDelivery({
    findWithdrawal: async () => {
      throw new Error('the database is away')
    },
  })
  const usual = world.open
  let openedCount = 0
  world.open = (delivery) => {
    openedCount++
    return usual(delivery)
  }
  const addOne = async (delivery: DueDelivery) => {
    await world.deliverer.add([delivery])
    await turn()
  }
  await addOne(due('bob@to.test'))
  await addOne({ ...due('waited@to.test'), checkedAtMs: world.nowMs - 10_000 })
  await addOne(due('next@to.test'))
  expect(world.reports.map((report) => report.kind)).toEqual(['attempted', 'postponed', 'attempted'])
  expect(openedCount).toBe(1)
  expect(world.deliverer.sites.get('mx.test')?.view.connections).toBe(1)
})

test('dropped, neither sent nor reported, when its lease ran out while it waited', async () => {
  const world = startDelivery()
  await world.deliverer.add([due('late@to.test', world.nowMs - 1), due('bob@to.test')])
  await turn()
  expect(world.sent).toEqual(['bob@to.test'])
  expect(world.reports).toHaveLength(1)
  expect(world.deliverer.heldCount).toBe(0)
})

test.each([
  { seconds: 10, why: 'its address was suppressed', kinds: ['suppressed'] },
  { seconds: 100, why: 'its lease ran out', kinds: [] },
])('not sent when $why while its connection was opened', async ({ seconds, kinds }) => {
  const world = startDelivery({ findWithdrawal: async () => 'suppressed' })
  const { promise, resolve } = Promise.withResolvers<Opened>()
  world.open = () => promise
  await world.deliverer.add([due('late@to.test')])
  await turn()
  world.nowMs += seconds * 1000
  resolve({ connection: connectionOf(world) })
  await turn()
  expect(world.sent).toEqual([])
  expect(world.reports.map((report) => report.kind)).toEqual(kinds)
  expect(world.deliverer.heldCount).toBe(0)
})
