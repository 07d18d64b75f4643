import { expect, test } from 'vitest'
import { connectionOf, type DeliveryWorld, due, startDelivery, turn } from '../../../test/support/delivery.ts'
import { resolveShaping } from '../rules/shaping-rules.ts'

/** A deliverer whose only site has this rate. */
function givenRate(rate: string): DeliveryWorld {
  const rules = resolveShaping([{ name: 'slow', match: { mx: ['mx.test'] }, rate }], [])
  const route = async () => ({ hops: [{ site: 'mx.test', relay: null, hosts: [{ name: 'mx.test' }] }] })
  return startDelivery({
    shaping: () => rules,
    routing: {
      fixedSites: ['mx.test'],
      prefetch: () => {},
      route: route as never,
      domainsOf: () => [],
      isKnownTo: () => false,
    },
  })
}

/** Hands over mail, and resolves once what can start has started. */
async function start(world: DeliveryWorld, name: string, count: number, isBulk: boolean): Promise<void> {
  const deliveries = Array.from({ length: count }, (_, n) => ({ ...due(`${name}${n}@to.test`), isBulk }))
  for (const { teamId, domain } of deliveries) world.deliverer.reserve(teamId, domain, 10, isBulk)
  world.deliverer.start(deliveries)
  for (let n = 0; n < 200; n++) await turn()
}

const sentOf = ({ sent }: DeliveryWorld, name: string) => sent.filter((address) => address.startsWith(name))

test('transactional mail leaves at once beside bulk mail that waits in memory for the rate, which continues', async () => {
  const world = givenRate('20/8s')
  await start(world, 'bulk', 30, true)
  expect(sentOf(world, 'bulk')).toHaveLength(18)
  expect(world.reports).toHaveLength(18)
  await start(world, 'reset', 2, false)
  expect(sentOf(world, 'reset')).toHaveLength(2)
  await start(world, 'late', 1, false)
  expect(sentOf(world, 'late')).toEqual([])
  world.nowMs += 8000
  await start(world, 'next', 1, false)
  expect(sentOf(world, 'late')).toHaveLength(1)
  expect(sentOf(world, 'bulk')).toHaveLength(30)
  expect(world.sent).toHaveLength(34)
})

test('a site whose share of bulk mail is used up for long still accepts transactional mail', async () => {
  const world = givenRate('20/1m')
  // A site holds only what its rate admits soon.
  for (let n = 0; n < 4; n++) await start(world, 'bulk', 6, true)
  const postponed = world.reports.filter(({ kind }) => kind === 'postponed')
  expect([sentOf(world, 'bulk').length, postponed.length]).toEqual([18, 6])
  expect(world.deliverer.room(true)).toBe(0)
  expect(world.deliverer.room()).toBeGreaterThan(0)
  expect(world.deliverer.reserve('team', 'to.test', 10, true)).toBe(false)
  await start(world, 'reset', 2, false)
  expect(sentOf(world, 'reset')).toHaveLength(2)
  expect(world.deliverer.room()).toBe(0)
})

test('a site is not forgotten while its rate counts a message: mail after a pause is limited by what went before', async () => {
  const world = givenRate('20/1m')
  world.open = async () => ({ connection: { ...connectionOf(world), usable: false } })
  await start(world, 'bulk', 1, true)
  const [entry] = [...world.deliverer.sites.all()]
  expect(entry?.site.isIdle).toBe(true)
  world.nowMs += 59_000
  expect(entry?.site.isForgettable).toBe(false)
  world.nowMs += 1001
  expect(entry?.site.isForgettable).toBe(true)
})
