import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { formatRecords, type PublishedRecord, quoteText, RECORD_FORMATS } from './record-formats.ts'

const KEY = `v=DKIM1; k=rsa; p=${'Ab+/'.repeat(98)}`
const RECORDS: PublishedRecord[] = [
  { purpose: 'DKIM', type: 'TXT', name: 's._domainkey.a.example', value: KEY, isInDns: false },
  { purpose: 'SPF', type: 'CNAME', name: 'bounce.a.example', value: 'mail.host.example', isInDns: false },
  { purpose: 'DMARC', type: 'TXT', name: '_dmarc.a.example', value: 'v=DMARC1; p=none;', isInDns: true },
]

/** Reads the presentation format as a DNS server does. */
function joinStrings(data: string): { strings: string[]; value: string } {
  const strings = [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1] as string)
  return { strings, value: strings.join('') }
}

/** Runs the commands in a shell whose `curl`, `aws` and `gcloud` are functions, and returns the last argument. */
function bodyOf(script: string): unknown {
  const stubs = `gcloud() { echo token; }
last() { for argument in "$@"; do :; done; printf '%s' "$argument"; }
curl() { last "$@"; }
aws() { last "$@"; }
`
  return JSON.parse(execFileSync('/bin/sh', ['-eu', '-c', stubs + script], { encoding: 'utf8', env: SHELL }))
}
const SHELL = {
  CLOUDFLARE_API_TOKEN: 't',
  ZONE_ID: 'z',
  HOSTED_ZONE_ID: 'h',
  PROJECT: 'p',
  MANAGED_ZONE: 'm',
}

test('a zone file has every record, with names that end in a dot and strings of at most 255 octets', () => {
  const lines = formatRecords('a.example', RECORDS, 'zone')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(';'))
  expect(lines).toHaveLength(3)
  const [, data = ''] = /^s\._domainkey\.a\.example\. 3600 IN TXT (.*)$/.exec(lines[0] ?? '') ?? []
  const { strings, value } = joinStrings(data)
  expect(strings.map(({ length }) => length)).toEqual([255, KEY.length - 255])
  expect(value).toBe(KEY)
  expect(lines[1]).toBe('bounce.a.example. 3600 IN CNAME mail.host.example.')
  expect(lines[2]).toBe('_dmarc.a.example. 3600 IN TXT "v=DMARC1; p=none;"')
})

test('quotes, backslashes and octets beyond ASCII are escaped', () => {
  expect(quoteText('a"b\\ü')).toBe(String.raw`"a\"b\\\195\188"`)
  expect(quoteText('')).toBe('""')
})

test('the commands for Cloudflare create the missing records, unproxied', () => {
  const { posts } = bodyOf(formatRecords('a.example', RECORDS, 'cloudflare')) as {
    posts: { content: string }[]
  }
  expect(posts).toEqual([
    { type: 'TXT', name: 's._domainkey.a.example', content: quoteText(KEY), ttl: 3600 },
    { type: 'CNAME', name: 'bounce.a.example', content: 'mail.host.example', ttl: 3600, proxied: false },
  ])
})

test('the commands for Route 53 create the missing records, and replace none', () => {
  const { Changes } = bodyOf(formatRecords('a.example', RECORDS, 'route53')) as { Changes: unknown[] }
  expect(Changes).toEqual([
    {
      Action: 'CREATE',
      ResourceRecordSet: {
        Name: 's._domainkey.a.example.',
        Type: 'TXT',
        TTL: 3600,
        ResourceRecords: [{ Value: quoteText(KEY) }],
      },
    },
    {
      Action: 'CREATE',
      ResourceRecordSet: {
        Name: 'bounce.a.example.',
        Type: 'CNAME',
        TTL: 3600,
        ResourceRecords: [{ Value: 'mail.host.example.' }],
      },
    },
  ])
})

test('the commands for Google Cloud DNS create the missing records', () => {
  const { additions } = bodyOf(formatRecords('a.example', RECORDS, 'google')) as { additions: unknown[] }
  expect(additions).toEqual([
    { name: 's._domainkey.a.example.', type: 'TXT', ttl: 3600, rrdatas: [quoteText(KEY)] },
    { name: 'bounce.a.example.', type: 'CNAME', ttl: 3600, rrdatas: ['mail.host.example.'] },
  ])
})

test('an apostrophe in a value does not end the argument of a command', () => {
  const odd: PublishedRecord = { ...(RECORDS[0] as PublishedRecord), value: "it's; $(touch x)" }
  for (const format of RECORD_FORMATS.filter((each) => each !== 'zone')) {
    expect(JSON.stringify(bodyOf(formatRecords('a.example', [odd], format)))).toContain("it's; $(touch x)")
  }
})

test('the commands say so when every record is in DNS', () => {
  const inDns = RECORDS.map((record) => ({ ...record, isInDns: true }))
  expect(formatRecords('a.example', inDns, 'route53')).toContain('# All records are in DNS.')
  expect(formatRecords('a.example', inDns, 'zone')).toContain('IN CNAME')
})
