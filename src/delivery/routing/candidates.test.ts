import { expect, onTestFinished, test } from 'vitest'
import { startDns } from '../../../test/support/dns.ts'
import { DnsClient } from '../../lib/dns/dns.ts'
import { MxResolver } from '../../lib/dns/mx.ts'
import { createGuard } from '../../lib/net/egress-guard.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { SiteKey } from '../sites/site-key.ts'
import { findCandidates } from './candidates.ts'

const SOURCE = { name: 'default', address: null, ehloName: 'us.test' }

test("attempted in the domain's own order, even if another domain with the same hosts came first", async () => {
  const dns = await startDns()
  onTestFinished(() => dns.close())
  dns.set({
    'one.hosts.test': { a: ['127.0.0.2'] },
    'two.hosts.test': { a: ['127.0.0.3'] },
    'usual.test': {
      mx: [
        [10, 'one.hosts.test'],
        [20, 'two.hosts.test'],
      ],
    },
    'reversed.test': {
      mx: [
        [20, 'one.hosts.test'],
        [10, 'two.hosts.test'],
      ],
    },
  })
  const mx = new MxResolver(new DnsClient({ servers: [dns.server], clock: systemClock }))
  const deps = { mx, mxPort: 25, captureTarget: null, guard: createGuard({ allowPrivate: true }) }
  const hosts = ['two.hosts.test', 'one.hosts.test'].map((name, place) => ({ name, preference: 10 * place }))
  const key: SiteKey = {
    site: 'one.hosts.test,two.hosts.test',
    source: SOURCE,
    tls: 'opportunistic',
    relay: null,
    hosts,
  }
  const namesFor = async (domain: string) =>
    (await findCandidates(deps, key, { domain, teamId: '1' })).allowed.map(({ host }) => host)
  expect(await namesFor('usual.test')).toEqual(['one.hosts.test', 'two.hosts.test'])
  expect(await namesFor('reversed.test')).toEqual(['two.hosts.test', 'one.hosts.test'])
  // Its DNS records are gone: use the hosts known at routing.
  expect(await namesFor('gone.test')).toEqual(['two.hosts.test', 'one.hosts.test'])
})

test('found after seven hosts without DNS responses, within the time of one', async () => {
  const dns = await startDns()
  onTestFinished(() => dns.close())
  const silent = Array.from({ length: 7 }, (_, i) => `silent${i}.hosts.test`)
  const hosts = [...silent, 'last.hosts.test'].map((name, preference) => ({ name, preference }))
  dns.set({
    'last.hosts.test': { a: ['127.0.0.2'] },
    'to.test': { mx: hosts.map(({ name, preference }) => [preference, name] as const) },
    ...Object.fromEntries(silent.map((name) => [name, { fail: 'timeout' as const }])),
  })
  const client = new DnsClient({ servers: [dns.server], clock: systemClock, timeoutMs: 2000, attemptsMax: 1 })
  const deps = {
    mx: new MxResolver(client),
    mxPort: 25,
    captureTarget: null,
    guard: createGuard({ allowPrivate: true }),
  }
  const site = hosts.map(({ name }) => name).join(',')
  const key: SiteKey = { site, source: SOURCE, tls: 'opportunistic', relay: null, hosts }
  const finding = findCandidates(deps, key, { domain: 'to.test', teamId: '1' })
  // All queries start before any of them could have timed out.
  await expect.poll(() => silent.filter((name) => dns.count(name, 'A') > 0).length, { interval: 10 }).toBe(7)
  expect((await finding).allowed.map(({ host }) => host)).toEqual(['last.hosts.test'])
})

test('refused and incomplete when one host is private and DNS does not answer for the other', async () => {
  const dns = await startDns()
  onTestFinished(() => dns.close())
  dns.set({
    'private.hosts.test': { a: ['10.0.0.1'], aaaa: ['fd00::1'] },
    'silent.hosts.test': { fail: 'servfail' },
    'public.hosts.test': { a: ['192.168.0.1', '8.8.8.8'] },
  })
  const mx = new MxResolver(new DnsClient({ servers: [dns.server], clock: systemClock, attemptsMax: 1 }))
  const deps = { mx, mxPort: 25, captureTarget: null, guard: createGuard({ allowPrivate: false }) }
  const find = async (...names: string[]) => {
    const hosts = names.map((name, preference) => ({ name, preference }))
    const domain = `${names.map((name) => name.split('.')[0]).join('-')}.test`
    dns.set({ [domain]: { mx: hosts.map(({ name, preference }) => [preference, name] as const) } })
    const key: SiteKey = { site: names.join(','), source: SOURCE, tls: 'opportunistic', relay: null, hosts }
    const { allowed, refused, isComplete } = await findCandidates(deps, key, { domain, teamId: '1' })
    return [allowed.map(({ address }) => address), refused.map(({ address }) => address), isComplete]
  }
  expect(await find('private.hosts.test')).toEqual([[], ['10.0.0.1', 'fd00::1'], true])
  expect(await find('private.hosts.test', 'silent.hosts.test')).toEqual([[], ['10.0.0.1', 'fd00::1'], false])
  const both = await find('private.hosts.test', 'public.hosts.test')
  expect(both).toEqual([['8.8.8.8'], ['10.0.0.1', 'fd00::1', '192.168.0.1'], true])
})
