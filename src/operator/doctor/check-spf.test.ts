import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDns, type TestDns } from '../../../test/support/dns.ts'
import { createAskDns } from './ask-dns.ts'
import { checkSpf } from './check-spf.ts'
import { evaluateSpf } from './spf.ts'

const V4 = '192.0.2.25'
const V6 = '2001:db8::25'
const loops = Object.fromEntries(
  Array.from({ length: 12 }, (_, i) => [`loop${i}.test`, { txt: [`v=spf1 include:loop${i + 1}.test -all`] }]),
)

let dns: TestDns
beforeAll(async () => {
  dns = await startDns({
    'none.test': { txt: ['other'] },
    'two.test': { txt: ['v=spf1 -all', 'v=spf1 ip4:192.0.2.25 -all'] },
    'ip.test': { txt: [`v=spf1 ip4:192.0.2.0/24 ip6:${V6} -all`] },
    'host.test': { txt: ['v=spf1 a -all'], a: [V4] },
    'mx.test': { txt: ['v=spf1 mx/24 -all'], mx: [[10, 'host.test']] },
    'include.test': { txt: ['v=spf1 include:ip.test ~all'] },
    'redirect.test': { txt: ['v=spf1 redirect=ip.test'] },
    'other.test': { txt: ['v=spf1 ip4:198.51.100.1 ~all'] },
    'neutral.test': { txt: ['v=spf1 ?ip4:192.0.2.25'] },
    'prefix.test': { txt: [`v=spf1 ip6:${V6}/1.5 -all`] },
    'typo.test': { txt: ['v=spf1 ipv4:192.0.2.25 -all'] },
    'gone.test': { txt: ['v=spf1 include:none.test -all'] },
    'macro.test': { txt: ['v=spf1 exists:%{i}.spf.test -all'] },
    'broken.test': { fail: 'servfail' },
    ...loops,
  })
})
afterAll(() => dns.close())
const look = () => createAskDns([dns.server])

test.each([
  ['none', 'none.test'],
  ['several', 'two.test'],
  ['pass', 'ip.test'],
  ['pass', 'host.test'],
  ['pass', 'mx.test'],
  ['pass', 'include.test'],
  ['pass', 'redirect.test'],
  ['fail', 'other.test'],
  ['fail', 'neutral.test'],
  ['invalid', 'typo.test'],
  ['invalid', 'prefix.test'],
  ['invalid', 'gone.test'],
  ['invalid', 'loop0.test'],
  ['unknown', 'macro.test'],
  ['unknown', 'broken.test'],
])('%s for the policy of %s', async (result, domain) => {
  expect(await evaluateSpf(look(), domain, V4)).toBe(result)
})

test('pass for an IPv6 address, and fail for one that the policy does not name', async () => {
  expect(await evaluateSpf(look(), 'ip.test', V6)).toBe('pass')
  expect(await evaluateSpf(look(), 'ip.test', '2001:db8::26')).toBe('fail')
  expect(await evaluateSpf(look(), 'host.test', V6)).toBe('fail')
})

test('ok, or a warning that names the record to publish', async () => {
  const check = (name: string) => checkSpf(look(), name, [V4, V6])
  expect(await check('ip.test')).toMatchObject({ level: 'ok', found: `It allows ${V4}, ${V6}.` })
  expect(await check('none.test')).toMatchObject({
    level: 'warning',
    check: 'SPF of none.test',
    found: 'It has no SPF record.',
    advice: `Publish: none.test. TXT "v=spf1 ip4:${V4} ip6:${V6} -all"`,
  })
  expect(await check('host.test')).toMatchObject({
    level: 'warning',
    found: `"v=spf1 a -all" does not allow ${V6}.`,
    advice: `Insert after v=spf1: ip6:${V6}`,
  })
  expect((await check('two.test')).found).toBe('It has 2 SPF records, so receivers ignore all of them.')
  expect((await check('typo.test')).found).toContain('is not valid')
  expect((await check('broken.test')).found).toBe('The DNS look-up failed.')
  expect((await check('macro.test')).level).toBe('note')
})
