import { generateKeyPairSync } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startDns, type TestDns, type ZoneEntry } from '../../test/support/dns.ts'
import { withDnsLookup } from './dns-lookup.ts'
import { checkRecords } from './domain-checks.ts'
import { expectedRecords } from './domain-records.ts'
import type { RecordChecks } from './domains-queries.ts'
import { isSameDkimKey } from './record-outcome.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ type: 'spki', format: 'der' })
  .toString('base64')
const ed = generateKeyPairSync('ed25519')
  .publicKey.export({ type: 'spki', format: 'der' })
  .subarray(-32)
  .toString('base64')
const RSA = `v=DKIM1; k=rsa; p=${rsa}`
const ED = `v=DKIM1; k=ed25519; p=${ed}`

test.each([
  ['as it was given', RSA],
  ['without spaces', `v=DKIM1;k=rsa;p=${rsa}`],
  ['with a semicolon at the end', `${RSA};`],
  ['with tags in another order', `p=${rsa}; v=DKIM1; k=rsa`],
  ['with white space inside the key', `v = DKIM1 ; k = rsa ; p = ${rsa.match(/.{1,64}/g)?.join(' \t')}`],
  ['without the tags that have a default', `p=${rsa}`],
  ['with tags that allow our use', `v=DKIM1; h=sha1:sha256; s=email; t=s; n=note; k=rsa; p=${rsa}`],
  ['with an unknown tag', `${RSA}; x=1`],
])('right: %s', (_, found) => {
  expect(isSameDkimKey(found, RSA)).toBe(true)
})

test.each([
  ['another key', `v=DKIM1; k=rsa; p=${rsa.replace(/^.{10}/, 'AAAAAAAAAA')}`],
  ['a key cut short', RSA.slice(0, -8)],
  ['the key in lower case', `v=DKIM1; k=rsa; p=${rsa.toLowerCase()}`],
  ['a revoked key', 'v=DKIM1; k=rsa; p='],
  ['no key', 'v=DKIM1; k=rsa'],
  ['another version', RSA.replace('DKIM1', 'DKIM2')],
  ['another algorithm', RSA.replace('k=rsa', 'k=ed25519')],
  ['only SHA-1', `${RSA}; h=sha1`],
  ['another service', `${RSA}; s=calendar`],
  ['test mode', `${RSA}; t=y:s`],
  ['a tag twice', `${RSA}; p=${rsa}`],
  ['quotes as a part of the value', `"${RSA}"`],
  ['its name and type before it', `x._domainkey.shop.test. IN TXT ${RSA}`],
  ['escaped semicolons', RSA.replaceAll(';', '\\;')],
  ['something else', 'v=spf1 -all'],
  ['nothing', ''],
])('wrong: %s', (_, found) => {
  expect(isSameDkimKey(found, RSA)).toBe(false)
})

test('right: Ed25519 with its k tag, since the default is RSA', () => {
  expect(isSameDkimKey(ED, ED)).toBe(true)
  expect(isSameDkimKey(`p=${ed}`, ED)).toBe(false)
})

const KEYS = [
  {
    algorithm: 'rsa-sha256' as const,
    domainName: 'mail.shop.test',
    selector: 'sw-1-rsa',
    publicKey: rsa,
    sealedPrivateKey: Buffer.alloc(0),
  },
  {
    algorithm: 'ed25519-sha256' as const,
    domainName: 'mail.shop.test',
    selector: 'sw-1-ed',
    publicKey: ed,
    sealedPrivateKey: Buffer.alloc(0),
  },
]
const RECORDS = expectedRecords(
  { name: 'mail.shop.test', openTracking: true, clickTracking: false, dkimEd25519: true },
  KEYS,
  {
    hostname: 'mx.sender.test',
    publicUrl: 'https://api.sender.test/base',
  },
)
const NAMES = {
  rsa: 'sw-1-rsa._domainkey.mail.shop.test',
  ed: 'sw-1-ed._domainkey.mail.shop.test',
  returnPath: 'bounce.mail.shop.test',
  dmarc: '_dmarc.mail.shop.test',
  tracking: 'links.mail.shop.test',
}

let dns: TestDns
beforeEach(async () => {
  dns = await startDns()
})
afterEach(() => dns.close())

async function check(zone: Record<string, ZoneEntry>, previous: RecordChecks = {}) {
  dns.set(zone)
  const checks = await withDnsLookup([dns.server], 5000, (lookup) =>
    checkRecords(RECORDS, previous, lookup, NOW),
  )
  const outcomes = Object.fromEntries(Object.entries(checks).map(([key, { outcome }]) => [key, outcome]))
  return { checks, outcomes }
}

test('right: everything published as required', async () => {
  const { checks, outcomes } = await check(
    Object.fromEntries(
      RECORDS.map(({ name, type, value }) => [name, type === 'TXT' ? { txt: [value] } : { cname: value }]),
    ),
  )
  expect(outcomes).toEqual({
    dkim_rsa: 'right',
    dkim_ed25519: 'right',
    return_path: 'right',
    dmarc: 'right',
    tracking: 'right',
  })
  expect(checks.dkim_rsa).toEqual({
    outcome: 'right',
    found: [RSA],
    advice: null,
    checked_at: NOW.toISOString(),
  })
})

test('missing: nothing published', async () => {
  const { outcomes, checks } = await check({})
  expect(new Set(Object.values(outcomes))).toEqual(new Set(['missing']))
  expect(checks.dkim_rsa?.found).toEqual([])
})

test('wrong: other values, shown as found, shortened and without control characters', async () => {
  const hostile = `v=DKIM1; p=\u0000\u0007${'A'.repeat(5000)}`
  const { checks, outcomes } = await check({
    [NAMES.rsa]: { txt: [hostile] },
    [NAMES.ed]: { txt: Array.from({ length: 9 }, (_, no) => `v=DKIM1; k=ed25519; p=${no}`) },
    [NAMES.returnPath]: { cname: 'elsewhere.test' },
    [NAMES.tracking]: { cname: 'elsewhere.test' },
  })
  expect(outcomes).toEqual({
    dkim_rsa: 'wrong',
    dkim_ed25519: 'wrong',
    return_path: 'wrong',
    dmarc: 'missing',
    tracking: 'wrong',
  })
  expect(checks.dkim_rsa?.found[0]).toHaveLength(1000)
  expect(checks.dkim_rsa?.found[0]).not.toMatch(/\p{Cc}/u)
  expect(checks.dkim_ed25519?.found).toHaveLength(5)
  expect(checks.return_path?.found).toEqual(['elsewhere.test'])
})

test('wrong: the right key beside another one, since receivers may use either', async () => {
  const { outcomes } = await check({ [NAMES.rsa]: { txt: [RSA, RSA.replace(rsa, ed)] } })
  expect(outcomes.dkim_rsa).toBe('wrong')
})

test('right: the right key beside a TXT record that is not a key', async () => {
  const { outcomes } = await check({ [NAMES.rsa]: { txt: ['site-verification: 1', RSA] } })
  expect(outcomes.dkim_rsa).toBe('right')
})

test('right: a DKIM record behind a CNAME', async () => {
  const { outcomes } = await check({
    [NAMES.rsa]: { cname: 'keys.elsewhere.test' },
    'keys.elsewhere.test': { txt: [RSA] },
  })
  expect(outcomes.dkim_rsa).toBe('right')
})

test('right: the DMARC policy of the organizational domain', async () => {
  const { outcomes } = await check({ '_dmarc.shop.test': { txt: ['v=DMARC1; p=reject'] } })
  expect(outcomes.dmarc).toBe('right')
})

test('wrong: two DMARC policies', async () => {
  const { outcomes } = await check({ [NAMES.dmarc]: { txt: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] } })
  expect(outcomes.dmarc).toBe('wrong')
})

test('unknown: DNS fails, and earlier results stay', async () => {
  const previous = {
    dkim_rsa: { outcome: 'wrong' as const, found: [RSA], advice: 'Do it.', checked_at: 'before' },
  }
  const { checks } = await check({ [NAMES.rsa]: { fail: 'servfail' } }, previous)
  expect(checks.dkim_rsa).toEqual({
    outcome: 'unknown',
    found: [RSA],
    advice: 'Do it.',
    checked_at: NOW.toISOString(),
  })
})
