import { expect, test } from 'vitest'
import { shapeSite } from './shaping.ts'
import { Site } from './site.ts'
import type { SiteKey } from './site-key.ts'
import { SiteSet } from './site-set.ts'

const source = { name: 'default', address: null, ehloName: 'us.test' }
const keyOf = (site: string): SiteKey => ({ site, source, tls: 'opportunistic', relay: null, hosts: [] })

test('evicted longest idle first when thousands are paused; one that waits for its connection stays', () => {
  // Time stands still: after seconds of it, the busy site would check its delivery again, and drop it after a minute.
  const now = new Date()
  const never = (): never => {
    throw new Error('not in this test')
  }
  const sites = new SiteSet(
    (key) =>
      new Site(key, shapeSite([], { hosts: [], partOf: null }), {
        clock: { now: () => now },
        random: () => 0.5,
        probesMs: () => [60_000],
        slicer: { enter: () => null },
        isFirst: () => false,
        open: () => new Promise(() => {}),
        findWithdrawal: never,
        outcomes: { settled: never, postponed: never, withdrawn: never, dropped: never, interrupted: never },
        waitingMax: () => 100,
        wake: never,
        board: { mayProbe: () => true, paused: never, answered: never, known: () => null },
      }),
    () => 1,
  )
  const busy = sites.of(keyOf('busy.test'))
  busy.add({
    teamId: '1',
    emailId: '1',
    no: 1,
    checkedAtMs: now.getTime(),
    leasedUntilMs: now.getTime() + 60_000,
  } as Parameters<Site['add']>[0])
  const shut = { state: 'paused', failures: 1, category: 'unreachable', reason: 'Down.' } as const
  for (let n = 0; n < 30_000; n++) {
    sites.of(keyOf(`d${n}.test`)).adopt({ ...shut, untilMs: now.getTime() + 3_600_000 })
  }
  expect([...sites.all()]).toHaveLength(10_000)
  expect(sites.get('busy.test')).toBe(busy)
  expect(sites.get('d0.test')).toBeUndefined()
  expect(sites.get('d29999.test')?.isShut).toBe(true)
  expect(sites.isRefusing('d0.test')).toBe(false)
  expect(sites.isRefusing('d29999.test')).toBe(true)
})
