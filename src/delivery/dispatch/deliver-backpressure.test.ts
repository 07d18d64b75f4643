import { expect, test } from 'vitest'
import { connectionOf, due, ROUTING, startDelivery } from '../../../test/support/delivery.ts'
import { createBackpressure } from '../../queue/backpressure.ts'
import type { Opened } from '../client/mail-connection.ts'

test('sent ahead of other mail for the site while its team has priority, and in turn afterwards', async () => {
  const backpressure = createBackpressure((teamId) => world.deliverer.hasFew(teamId))
  const world = startDelivery({ backpressure })
  const { promise, resolve } = Promise.withResolvers<Opened>()
  world.open = () => promise
  const backlog = Array.from({ length: 60 }, (_, n) => ({ ...due(`a${n}@to.test`), teamId: 'large' }))
  await world.deliverer.add(backlog)
  await expect.poll(() => world.deliverer.sites.get('mx.test')?.view.waiting).toBe(59)
  const handIn = (teamId: string) => {
    backpressure.expect(teamId)
    expect(world.deliverer.reserve(teamId, 'to.test', 10)).toBe(true)
    world.deliverer.start([{ ...due(`${teamId}@to.test`), teamId }])
  }
  handIn('small')
  expect(backpressure.yieldTurn()).not.toBeNull()
  backpressure.end('small')
  expect(backpressure.yieldTurn()).toBeNull()
  handIn('large')
  expect(backpressure.yieldTurn()).toBeNull()
  await expect.poll(() => world.deliverer.sites.get('mx.test')?.view.waiting).toBe(61)
  resolve({ connection: connectionOf(world) })
  await expect.poll(() => world.sent.length).toBe(62)
  expect(world.sent.slice(0, 3)).toEqual(['a0@to.test', 'small@to.test', 'a1@to.test'])
  expect(world.sent.at(-1)).toBe('large@to.test')
})

test("accepted into memory although the site is full of another team's mail", async () => {
  const world = startDelivery({ routing: { ...ROUTING, isKnownTo: (_domain, test) => test('mx.test') } })
  const { promise, resolve } = Promise.withResolvers<Opened>()
  world.open = () => promise
  const backlog = Array.from({ length: 1200 }, (_, n) => ({ ...due(`a${n}@to.test`), teamId: 'large' }))
  await world.deliverer.add(backlog)
  await expect.poll(() => world.deliverer.sites.isRefusing('mx.test')).toBe(true)
  expect(world.deliverer.reserve('large', 'to.test', 10)).toBe(false)
  expect(world.deliverer.reserve('small', 'to.test', 10)).toBe(true)
  world.deliverer.cancelReservation('small', 10)
  resolve({ connection: connectionOf(world) })
})

test("sent ahead of the same team's bulk mail: the team has little transactional mail", async () => {
  const backpressure = createBackpressure((teamId) => world.deliverer.hasFew(teamId))
  const world = startDelivery({ backpressure })
  const { promise, resolve } = Promise.withResolvers<Opened>()
  world.open = () => promise
  await world.deliverer.add(Array.from({ length: 60 }, (_, n) => ({ ...due(`b${n}@to.test`), isBulk: true })))
  expect(world.deliverer.hasFew('team')).toBe(true)
  const bulk = { ...due('more@to.test'), isBulk: true }
  expect(world.deliverer.reserve('team', 'to.test', 10, true)).toBe(true)
  world.deliverer.start([bulk])
  // Bulk mail makes nobody yield.
  expect(backpressure.yieldTurn()).toBeNull()
  expect(world.deliverer.reserve('team', 'to.test', 10)).toBe(true)
  world.deliverer.start([due('urgent@to.test')])
  expect(backpressure.yieldTurn()).not.toBeNull()
  await expect.poll(() => world.deliverer.sites.get('mx.test')?.view.waiting).toBe(61)
  resolve({ connection: connectionOf(world) })
  await expect.poll(() => world.sent.length).toBe(62)
  expect(world.sent.slice(0, 2)).toEqual(['b0@to.test', 'urgent@to.test'])
})
