import { describe, expect, test } from 'vitest'
import { httpsUrlOf, mailboxOf, readReportRecord } from './tls-report-format.ts'

describe('a record', () => {
  test.each([
    [['v=TLSRPTv1;rua=mailto:reports@example.com'], ['mailto:reports@example.com']],
    [
      ['v=TLSRPTv1; rua=https://reporting.example.com/v1/tlsrpt'],
      ['https://reporting.example.com/v1/tlsrpt'],
    ],
    [
      ['v=spf1 -all', 'v=TLSRPTv1; rua=mailto:a@b.example , https://c.example/%2C;'],
      ['mailto:a@b.example', 'https://c.example/%2C'],
    ],
    [
      ['v=TLSRPTv1; rua=http://c.example/, mailto:nobody, ftp://x, mailto:a@b.example'],
      ['mailto:a@b.example'],
    ],
    [['v=TLSRPTv1; rua=mailto:a@b.example', 'v=TLSRPTv1; rua=mailto:c@d.example'], []],
    [['v=TLSRPTv1; rua=https://a.example/\0'], []],
    [
      ['v=TLSRPTv1; rua=mailto:A@b.example, mailto:a%40b.example?subject=x'],
      ['mailto:a%40b.example?subject=x'],
    ],
    [['v=TLSRPTv1'], []],
    [['v=TLSRPTv1;'], []],
    [['v=TLSRPTv2; rua=mailto:a@b.example'], []],
    [
      [`v=TLSRPTv1; rua=${Array.from({ length: 9 }, (_, i) => `mailto:a${i}@b.example`).join(',')}`],
      [0, 1, 2, 3, 4].map((i) => `mailto:a${i}@b.example`),
    ],
    [[], []],
  ])('%j: the destinations are %j', (records, uris) => {
    expect(readReportRecord(records)).toEqual(uris)
  })
})

describe('an address', () => {
  test.each([
    ['mailto:tls%2Breports@example.com', 'tls+reports@example.com'],
    ['MAILTO:a@example.com?subject=x%0D%0ABcc:b@c.example', 'a@example.com'],
    ['mailto:a@example.com%0D%0ABcc:b@c.example', null],
    ['mailto:a@example.com,b@example.com', null],
    ['mailto:%zz@example.com', null],
    ['mailto:', null],
  ])('%s is %s', (uri, address) => {
    expect(mailboxOf(uri)).toBe(address)
  })

  test('an https URL without a login, and nothing else', () => {
    expect(httpsUrlOf('https://a.example/x')?.href).toBe('https://a.example/x')
    for (const uri of [
      'http://a.example',
      'https://u:p@a.example/',
      'https://',
      `https://a.example/${'x'.repeat(1000)}`,
    ]) {
      expect(httpsUrlOf(uri)).toBeNull()
    }
  })
})
