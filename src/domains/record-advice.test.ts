import { generateKeyPairSync } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startDns, type TestDns, type Zone } from '../../test/support/dns.ts'
import { withDnsLookup } from './dns-lookup.ts'
import { checkRecords } from './domain-checks.ts'
import { expectedRecords } from './domain-records.ts'
import type { RecordName } from './domains-queries.ts'
import { adviseOnValues } from './value-advice.ts'

const DOMAIN = 'mail.shop.test'
const newKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64')
const KEY = newKey()
const VALUE = `v=DKIM1; k=rsa; p=${KEY}`
const RECORDS = expectedRecords(
  { name: DOMAIN, openTracking: true, clickTracking: false, dkimEd25519: false },
  [
    {
      algorithm: 'rsa-sha256' as const,
      domainName: DOMAIN,
      selector: 'sw-1-rsa',
      publicKey: KEY,
      sealedPrivateKey: Buffer.alloc(0),
    },
  ],
  { hostname: 'mx.sender.test', publicUrl: 'https://api.sender.test' },
)
const DKIM = 'sw-1-rsa._domainkey.mail.shop.test'

let dns: TestDns
beforeEach(async () => {
  dns = await startDns()
})
afterEach(() => dns.close())

async function adviceOn(key: RecordName, zone: Zone): Promise<string | null | undefined> {
  dns.set(zone)
  const records = RECORDS.filter((record) => record.key === key)
  const checks = await withDnsLookup([dns.server], 5000, (lookup) =>
    checkRecords(records, {}, lookup, new Date('2026-11-27T12:00:00Z')),
  )
  expect(checks[key]?.outcome).toMatch(/^(missing|wrong)$/)
  return checks[key]?.advice
}

describe('a wrong value at the right name', () => {
  const half = Math.floor(VALUE.length / 2)
  const [first, second] = [VALUE.slice(0, 255), VALUE.slice(255)]

  test.each<[string, string[], string]>([
    ['quotes', [`"${VALUE}"`], 'without quotes'],
    ['the quotes between two strings', [`${first}" "${second}`], 'without quotes'],
    ['the form of a zone file', [`( "${first}"\n"${second}" )`], 'without quotes'],
    ['backslashes', [VALUE.replaceAll(';', '\\;')], 'without backslashes'],
    ['quotes with backslashes', [`\\"${VALUE}\\"`], 'without backslashes'],
    ['255 characters of it', [first], 'cut off after 253 of 408'],
    ['half of it', [VALUE.slice(0, half)], 'cut off after'],
    ['all but the last characters', [VALUE.slice(0, -4)], 'cut off after'],
    ['only the second string', [second], 'The beginning of the value is missing'],
    ['only the key', [KEY], 'Only the key is there'],
    ['both strings in the wrong order', [second + first], 'wrong order'],
    ['its strings as two records', [first, second], 'split into several records'],
    ['itself twice', [`${VALUE};${VALUE}`], 'there twice'],
    ['lower case', [VALUE.toLowerCase()], 'Upper and lower case'],
    ['test mode', [`${VALUE}; t=y`], 'Remove `t=y`'],
    ['another service', [`${VALUE}; s=calendar`], 'another tag'],
    ['another algorithm', [VALUE.replace('rsa', 'ed25519')], 'another tag'],
    ['its name and type', [`${DKIM}. IN TXT ${VALUE}`], 'more than the value'],
    ['a comma where it was split', [`${first},${second}`], 'other characters within the key'],
    [
      'a character lost where it was split',
      [first + second.slice(9)],
      'in the middle of the value is missing',
    ],
    ['characters twice where it was split', [first + first.slice(-9) + second], 'there twice'],
    ['another key', [`v=DKIM1; k=rsa; p=${newKey()}`], 'another key'],
    ['a revoked key', ['v=DKIM1; k=rsa; p='], 'cut off'],
    ['another key beside it', [VALUE, `v=DKIM1; k=rsa; p=${newKey()}`], 'Delete all but the value'],
    ['two other keys', ['v=DKIM1; p=AAAA', 'v=DKIM1; p=BBBB'], 'none is right'],
  ])('%s', async (_, txt, advice) => {
    expect(await adviceOn('dkim_rsa', { [DKIM]: { txt } })).toContain(advice)
  })

  test('quotes of a word processor', () => {
    const [record] = RECORDS
    const quoted = Buffer.from(`\u201c${VALUE}\u201d`).toString('latin1')
    expect(record && adviseOnValues(record, [quoted])).toContain('without quotes')
  })

  test.each<[string, string[], string]>([
    ['two policies', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'Delete all but one'],
    ['quotes', ['"v=DMARC1; p=none;"'], 'without quotes'],
    ['backslashes', ['v=DMARC1\\; p=none\\;'], 'without backslashes'],
    ['tags in another order', ['p=none; v=DMARC1'], 'begins with `v=DMARC1;`'],
  ])('a DMARC policy: %s', async (_, txt, advice) => {
    expect(await adviceOn('dmarc', { [`_dmarc.${DOMAIN}`]: { txt } })).toContain(advice)
  })

  test.each<[string, string, string]>([
    [
      'the domain after the value',
      'mx.sender.test.mail.shop.test',
      'End the value with a dot: mx.sender.test.',
    ],
    ['the zone after the value', 'mx.sender.test.shop.test', 'End the value with a dot'],
    ['another host', 'elsewhere.test', 'leads to another host'],
  ])('a CNAME: %s', async (_, cname, advice) => {
    expect(await adviceOn('return_path', { [`bounce.${DOMAIN}`]: { cname } })).toContain(advice)
  })
})

describe('the right value at a wrong name', () => {
  test.each<[RecordName, Zone, string]>([
    [
      'dkim_rsa',
      { [`${DKIM}.mail.shop.test`]: { txt: [VALUE] } },
      'Enter only sw-1-rsa._domainkey as the name',
    ],
    [
      'dkim_rsa',
      { [`${DKIM}.shop.test`]: { txt: [VALUE] } },
      'Enter only sw-1-rsa._domainkey.mail as the name',
    ],
    [
      'dkim_rsa',
      { 'mail.shop.test': { txt: ['v=spf1 -all', VALUE] } },
      'The record is at mail.shop.test. Move it',
    ],
    ['dkim_rsa', { 'sw-1-rsa.mail.shop.test': { txt: [VALUE] } }, `Move it to ${DKIM}`],
    ['dkim_rsa', { '_domainkey.mail.shop.test': { txt: [VALUE] } }, `Move it to ${DKIM}`],
    ['dkim_rsa', { 'sw-1-rsa._domainkey.shop.test': { txt: [VALUE] } }, `Move it to ${DKIM}`],
    [
      'dmarc',
      { '_dmarc.mail.shop.test.mail.shop.test': { txt: ['v=DMARC1; p=none;'] } },
      'Enter only _dmarc as',
    ],
    ['dmarc', { 'mail.shop.test': { txt: ['v=DMARC1; p=none;'] } }, 'Move it to _dmarc.mail.shop.test'],
    [
      'return_path',
      { 'bounce.mail.shop.test.shop.test': { cname: 'mx.sender.test' } },
      'Enter only bounce.mail as',
    ],
    ['return_path', { 'bounce.shop.test': { cname: 'mx.sender.test' } }, 'Move it to bounce.mail.shop.test'],
    [
      'tracking',
      { 'links.mail.shop.test.mail.shop.test': { cname: 'api.sender.test' } },
      'Enter only links as',
    ],
  ])('%s: %j', async (key, zone, advice) => {
    expect(await adviceOn(key, zone)).toContain(advice)
  })

  test('also beside records that are not ours', async () => {
    const zone = { [DKIM]: { txt: ['site-verification: 1'] }, [`${DKIM}.${DOMAIN}`]: { txt: [VALUE] } }
    expect(await adviceOn('dkim_rsa', zone)).toContain('Enter only sw-1-rsa._domainkey')
  })
})

describe('another type', () => {
  const NAME = `bounce.${DOMAIN}`

  test.each<[RecordName, Zone, string]>([
    ['return_path', { [NAME]: { a: ['192.0.2.1'] } }, 'Turn off the proxy'],
    ['return_path', { [NAME]: { aaaa: ['2001:db8::1'] } }, 'Turn off the proxy'],
    ['return_path', { [NAME]: { txt: ['"mx.sender.test."'] } }, 'enter a CNAME record'],
    ['dkim_rsa', { [DKIM]: { cname: 'nothing.test' } }, 'enter a TXT record'],
  ])('%s: %j', async (key, zone, advice) => {
    expect(await adviceOn(key, zone)).toContain(advice)
  })
})

test('no advice on a record that is nowhere', async () => {
  for (const { key } of RECORDS) expect(await adviceOn(key, {})).toBeNull()
})

test('no lookups for a right record, and at most seven more for a missing one', async () => {
  const counted: string[] = []
  const [record] = RECORDS
  const count = async (zone: Zone) => {
    dns.set(zone)
    counted.length = 0
    await withDnsLookup([dns.server], 5000, (lookup) => {
      const ask = (kind: 'txt' | 'cname' | 'addresses') => (name: string) => {
        counted.push(`${kind} ${name}`)
        return lookup[kind](name)
      }
      const asking = { txt: ask('txt'), cname: ask('cname'), addresses: ask('addresses') }
      return checkRecords(record === undefined ? [] : [record], {}, asking, new Date())
    })
    return counted.length
  }
  expect(await count({ [DKIM]: { txt: [VALUE] } })).toBe(1)
  expect(await count({ [DKIM]: { txt: ['v=DKIM1; p=AAAA'] } })).toBe(1)
  expect(await count({ [DKIM]: {} })).toBe(8)
})
