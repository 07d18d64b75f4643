import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDns, type TestDns } from '../../../test/support/dns.ts'
import { DnsClient } from './dns.ts'
import { MxResolver } from './mx.ts'

let dns: TestDns
let nowMs = Date.UTC(2026, 0, 1)
const clock = { now: () => new Date(nowMs) }

beforeAll(async () => {
  dns = await startDns({
    'several.test': {
      mx: [
        [20, 'c.mx.test'],
        [10, 'B.MX.test'],
        [10, 'a.mx.test'],
      ],
    },
    'same.test': {
      mx: [
        [5, 'a.mx.test'],
        [5, 'b.mx.test'],
        [5, 'c.mx.test'],
      ],
    },
    'a.mx.test': { a: ['192.0.2.1', '192.0.2.2'], aaaa: ['2001:db8::1'] },
    'implicit.test': { a: ['192.0.2.9'] },
    'implicit6.test': { aaaa: ['2001:db8::9'] },
    'null.test': { mx: [[0, '']], a: ['192.0.2.9'] },
    'empty.test': { txt: ['nothing here'] },
    'servfail.test': { fail: 'servfail' },
    'refused.test': { fail: 'refused' },
    'silent.test': { fail: 'timeout' },
    'alias.test': { cname: 'several.test' },
    'loop.test': { cname: 'loop2.test' },
    'loop2.test': { cname: 'loop.test' },
    'tricks.test': {
      mx: [
        [1, '127.0.0.1'],
        [2, 'localhost'],
        [3, 'intranet'],
        [4, '127.1'],
        [5, 'real.mx.test'],
      ],
    },
    'only-tricks.test': {
      mx: [
        [1, '10.0.0.1'],
        [2, 'localhost'],
      ],
    },
    'half-null.test': {
      mx: [
        [0, ''],
        [10, 'real.mx.test'],
      ],
    },
    'many.test': { mx: Array.from({ length: 500 }, (_, i) => [10, `mx${i}.many.test`] as const) },
    'crowd.test': { a: Array.from({ length: 1000 }, (_, i) => `198.51.${i >> 8}.${i & 255}`) },
    'short.test': { a: ['192.0.2.50'], ttlSeconds: 30 },
    'zero.test': { a: ['192.0.2.51'], ttlSeconds: 0 },
  })
})
afterAll(() => dns.close())

function resolver(
  options: { random?: () => number; namesMax?: number; timeoutMs?: number } = {},
): MxResolver {
  const client = new DnsClient({
    servers: [dns.server],
    timeoutMs: options.timeoutMs ?? 5000,
    attemptsMax: 1,
    namesMax: options.namesMax ?? 100,
    clock,
  })
  return new MxResolver(client, options.random)
}

describe('hosts', () => {
  test('hosts are sorted by preference and equal ones are shuffled', async () => {
    const orders = new Set<string>()
    const mx = resolver()
    for (let i = 0; i < 60; i++) {
      const answer = await mx.resolve('several.test')
      if (answer.kind !== 'hosts') throw new Error(answer.kind)
      expect(answer.site).toBe('a.mx.test,b.mx.test,c.mx.test')
      expect(answer.hosts[2]).toEqual({ name: 'c.mx.test', preference: 20 })
      orders.add(answer.hosts.map(({ name }) => name).join())
    }
    expect([...orders].sort()).toEqual(['a.mx.test,b.mx.test,c.mx.test', 'b.mx.test,a.mx.test,c.mx.test'])
  })

  test('hosts of two domains with the same MX set are one site', async () => {
    const mx = resolver()
    const [one, other] = await Promise.all([mx.resolve('several.test'), mx.resolve('same.test')])
    expect(one).toMatchObject({ kind: 'hosts' })
    expect(one.kind === 'hosts' && other.kind === 'hosts' && one.site === other.site).toBe(true)
  })

  test.each(['implicit.test', 'implicit6.test'])('hosts: %s without MX is its own host', async (domain) => {
    expect(await resolver().resolve(domain)).toEqual({
      kind: 'hosts',
      site: domain,
      hosts: [{ name: domain, preference: 0 }],
    })
  })

  test('hosts are found through a CNAME', async () => {
    expect(await resolver().resolve('alias.test')).toMatchObject({ kind: 'hosts', hosts: { length: 3 } })
  })

  test('hosts that are addresses, localhost or bare words are ignored', async () => {
    expect(await resolver().resolve('tricks.test')).toMatchObject({
      kind: 'hosts',
      site: 'real.mx.test',
      hosts: [{ name: 'real.mx.test', preference: 5 }],
    })
  })

  test('hosts beside a dot are used, because a null MX stands alone', async () => {
    expect(await resolver().resolve('half-null.test')).toMatchObject({ kind: 'hosts', site: 'real.mx.test' })
  })

  test('hosts of a domain with 500 MX are limited to 20, and the name of its site is bounded', async () => {
    const answer = await resolver().resolve('many.test')
    if (answer.kind !== 'hosts') throw new Error(answer.kind)
    expect(answer.hosts).toHaveLength(20)
    expect(answer.site.length).toBeLessThan(200)
    expect(await resolver().resolve('many.test')).toMatchObject({ site: answer.site })
  })
})

describe('final answers', () => {
  test('null_mx for a domain that accepts no mail, although it has an address', async () => {
    expect(await resolver().resolve('null.test')).toEqual({ kind: 'null_mx' })
  })

  test('no_domain for NXDOMAIN', async () => {
    expect(await resolver().resolve('nowhere.test')).toEqual({ kind: 'no_domain' })
  })

  test('no_mail_host without MX and address, for a CNAME loop and when every MX is unusable', async () => {
    const mx = resolver()
    expect(await mx.resolve('empty.test')).toEqual({ kind: 'no_mail_host' })
    expect(await mx.resolve('loop.test')).toEqual({ kind: 'no_mail_host' })
    expect(await mx.resolve('only-tricks.test')).toEqual({ kind: 'no_mail_host' })
  })

  test.each([
    'localhost',
    'intranet',
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '::1',
    'a.localhost',
    'a..b',
    `${'a'.repeat(300)}.test`,
  ])('no_domain without a query for %s', async (domain) => {
    expect(await resolver().resolve(domain)).toEqual({ kind: 'no_domain' })
    expect(dns.count(domain)).toBe(0)
  })

  test('no_domain for a label too long for DNS', async () => {
    expect(await resolver().resolve(`${'a'.repeat(64)}.test`)).toEqual({ kind: 'no_domain' })
  })
})

describe('temporary answers', () => {
  test.each(['servfail.test', 'refused.test', 'silent.test'])('temporary for %s', async (domain) => {
    expect(await resolver({ timeoutMs: 300 }).resolve(domain)).toEqual({
      kind: 'temporary',
      reason: expect.stringMatching(/DNS/),
    })
  })

  test('temporary answers are not cached', async () => {
    const mx = resolver()
    dns.set({ 'mended.test': { fail: 'servfail' } })
    expect(await mx.resolve('mended.test')).toMatchObject({ kind: 'temporary' })
    dns.set({ 'mended.test': { mx: [[1, 'a.mx.test']] } })
    expect(await mx.resolve('mended.test')).toMatchObject({ kind: 'hosts' })
  })

  test('after a timeout, the next server is queried first', async () => {
    const silent = await startDns({ 'several.test': { fail: 'timeout' }, 'same.test': { fail: 'timeout' } })
    const servers = [silent.server, dns.server]
    const mx = new MxResolver(new DnsClient({ servers, timeoutMs: 1000, attemptsMax: 1, clock }))
    expect(await mx.resolve('several.test')).toMatchObject({ kind: 'hosts' })
    expect(await mx.resolve('same.test')).toMatchObject({ kind: 'hosts' })
    expect([silent.count('several.test'), silent.count('same.test')]).toEqual([1, 0])
    await silent.close()
  })

  test('temporary if no DNS server is available', async () => {
    const gone = await startDns()
    await gone.close()
    const client = new DnsClient({ servers: [gone.server], timeoutMs: 200, attemptsMax: 1, clock })
    expect(await new MxResolver(client).resolve('several.test')).toMatchObject({ kind: 'temporary' })
  })
})

describe('addresses', () => {
  test('addresses are IPv4 first, then IPv6', async () => {
    const addresses = await resolver().addressesOf('a.mx.test')
    expect(addresses.slice(0, 2).sort()).toEqual(['192.0.2.1', '192.0.2.2'])
    expect(addresses.slice(2)).toEqual(['2001:db8::1'])
  })

  test('addresses are limited to ten of each family', async () => {
    expect(await resolver().addressesOf('crowd.test')).toHaveLength(10)
  })

  test.each(['nowhere.test', 'servfail.test', 'empty.test'])('addresses of %s are none', async (host) => {
    expect(await resolver().addressesOf(host)).toEqual([])
  })
})

describe('cache', () => {
  test('kept MX answers are refreshed after five minutes', async () => {
    const mx = resolver()
    dns.set({ 'kept.test': { mx: [[1, 'a.mx.test']] } })
    await mx.resolve('kept.test')
    dns.set({ 'kept.test': { mx: [[1, 'b.mx.test']] } })
    nowMs += 5 * 60_000 - 1
    expect(await mx.resolve('kept.test')).toMatchObject({ site: 'a.mx.test' })
    expect(dns.count('kept.test', 'MX')).toBe(1)
    nowMs += 1
    expect(await mx.resolve('kept.test')).toMatchObject({ site: 'b.mx.test' })
    expect(dns.count('kept.test', 'MX')).toBe(2)
  })

  test('kept NXDOMAIN is refreshed after one minute', async () => {
    const mx = resolver()
    expect(await mx.resolve('later.test')).toEqual({ kind: 'no_domain' })
    dns.set({ 'later.test': { mx: [[1, 'a.mx.test']] } })
    expect(await mx.resolve('later.test')).toEqual({ kind: 'no_domain' })
    nowMs += 60_000
    expect(await mx.resolve('later.test')).toMatchObject({ kind: 'hosts' })
  })

  test('kept addresses follow their TTL, at least five seconds', async () => {
    const mx = resolver()
    for (const [host, ttlMs] of [
      ['short.test', 30_000],
      ['zero.test', 5_000],
    ] as const) {
      await mx.addressesOf(host)
      nowMs += ttlMs - 1
      await mx.addressesOf(host)
      expect(dns.count(host, 'A')).toBe(1)
      nowMs += 1
      await mx.addressesOf(host)
      expect(dns.count(host, 'A')).toBe(2)
    }
  })

  test('kept MX answers follow their TTL, at least half a minute', async () => {
    const mx = resolver()
    for (const [name, ttlSeconds, keptMs] of [
      ['hour.test', 3600, 3_600_000],
      ['day.test', 86_400, 3_600_000],
      ['never.test', 0, 30_000],
    ] as const) {
      dns.set({ [name]: { mx: [[1, 'a.mx.test']], ttlSeconds } })
      await mx.resolve(name)
      nowMs += keptMs - 1
      await mx.resolve(name)
      expect(dns.count(name, 'MX')).toBe(1)
      nowMs += 1
      await mx.resolve(name)
      expect(dns.count(name, 'MX')).toBe(2)
    }
  })

  test('kept MX answers of a busy domain are refreshed before they expire, and served meanwhile', async () => {
    const mx = resolver()
    dns.set({ 'busy.test': { mx: [[1, 'a.mx.test']], ttlSeconds: 100 } })
    for (let i = 0; i < 5; i++) await mx.resolve('busy.test')
    nowMs += 89_000
    await mx.resolve('busy.test')
    expect(dns.count('busy.test', 'MX')).toBe(1)
    nowMs += 2_000
    dns.set({ 'busy.test': { mx: [[1, 'b.mx.test']], ttlSeconds: 100 } })
    expect(await mx.resolve('busy.test')).toMatchObject({ site: 'a.mx.test' })
    await expect.poll(() => mx.resolve('busy.test')).toMatchObject({ site: 'b.mx.test' })
    expect(dns.count('busy.test', 'MX')).toBe(2)
  })

  test('kept MX answers outlive a refresh that fails', async () => {
    const mx = resolver()
    dns.set({ 'shaky.test': { mx: [[1, 'a.mx.test']], ttlSeconds: 100 } })
    for (let i = 0; i < 5; i++) await mx.resolve('shaky.test')
    dns.set({ 'shaky.test': { fail: 'servfail' } })
    nowMs += 95_000
    expect(await mx.resolve('shaky.test')).toMatchObject({ site: 'a.mx.test' })
    await expect.poll(() => dns.count('shaky.test', 'MX')).toBe(2)
    expect(await mx.resolve('shaky.test')).toMatchObject({ site: 'a.mx.test' })
    nowMs += 5_000
    expect(await mx.resolve('shaky.test')).toMatchObject({ kind: 'temporary' })
  })

  test('prefetched answers are not queried again, addresses of the first hosts included', async () => {
    dns.set({
      'ahead.test': { mx: [[1, 'mx.ahead.test']] },
      'mx.ahead.test': { a: ['192.0.2.77'] },
    })
    const mx = resolver()
    for (let i = 0; i < 3; i++) mx.prefetch('ahead.test')
    mx.prefetch('nowhere.test')
    mx.prefetch('localhost')
    await expect.poll(() => dns.count('mx.ahead.test', 'A')).toBe(1)
    await mx.resolve('ahead.test')
    await mx.addressesOf('mx.ahead.test')
    expect([dns.count('ahead.test', 'MX'), dns.count('mx.ahead.test', 'A')]).toEqual([1, 1])
  })

  test('cached names are bounded: the least recently used is queried again', async () => {
    const mx = resolver({ namesMax: 2 })
    for (const name of ['one.test', 'two.test', 'three.test']) dns.set({ [name]: { mx: [[1, 'a.mx.test']] } })
    await mx.resolve('one.test')
    await mx.resolve('two.test')
    await mx.resolve('one.test')
    await mx.resolve('three.test')
    await mx.resolve('one.test')
    await mx.resolve('two.test')
    expect([dns.count('one.test'), dns.count('two.test')]).toEqual([1, 2])
  })

  test('one query is in progress per name, however many callers', async () => {
    dns.set({ 'crowded.test': { mx: [[1, 'a.mx.test']] } })
    const mx = resolver()
    const answers = await Promise.all(Array.from({ length: 50 }, () => mx.resolve('crowded.test')))
    expect(answers.every(({ kind }) => kind === 'hosts')).toBe(true)
    expect(dns.count('crowded.test', 'MX')).toBe(1)
  })
})
