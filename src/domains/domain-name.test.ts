import { expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../test/support/passes.ts'
import { ApiError } from '../lib/api-error.ts'
import { readDomainName, requireDomainName } from './domain-name.ts'

test.each([
  ['example.com', 'example.com'],
  ['Mail.EXAMPLE.com', 'mail.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['ｅｘａｍｐｌｅ．ｃｏｍ', 'example.com'],
  ['faß.de', 'xn--fa-hia.de'],
  ['sub.example.co.uk', 'sub.example.co.uk'],
  ['me.github.io', 'me.github.io'],
  ['1password.com', '1password.com'],
  ['corp.internal', 'corp.internal'],
])('accepted: %s becomes %s', (text, name) => {
  expect(requireDomainName(text)).toBe(name)
})

test.each([
  '',
  'localhost',
  'example',
  'example.com.',
  'example.com。',
  '.example.com',
  'a..b',
  'exa mple.com',
  ' example.com',
  'exa\u00a0mple.com',
  'exa\u0000mple.com',
  'example.com\r\n',
  'foo_bar.com',
  '-a.com',
  'a-.com',
  '*.example.com',
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '2130706433',
  '[::1]',
  '::1',
  'a.1',
  'example.com/path',
  'http://example.com',
  'example.com:25',
  'user@example.com',
  'example.com#x',
  'example.com?x',
  'ex%61mple.com',
  'example\\.com',
  '\ud800.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(126)}aa`,
])('422: %j is no domain name', (text) => {
  expect(() => requireDomainName(text)).toThrow('The name field must be a valid domain name.')
  expect(readDomainName(text)).toBeNull()
})

test.each(['co.uk', 'github.io', 'xn--55qx5d.cn', '公司.cn', 'CO.UK', 'x.ck', 's3.amazonaws.com'])(
  '422: %s is a public suffix',
  (text) => {
    expect(() => requireDomainName(text)).toThrow('The name field must not be a public suffix.')
  },
)

test('422 for a name whose DKIM record would not fit into DNS', () => {
  const ofLength = (length: number) =>
    `${'a.'
      .repeat(120)
      .slice(0, length - 4)
      .replace(/\.$/, 'a')}.com`
  expect(requireDomainName(ofLength(226))).toHaveLength(226)
  expect(() => requireDomainName(ofLength(227))).toThrow('must not be greater than 226 characters')
})

test('422 with the field in linear time for any length', () => {
  for (const piece of ['-', 'a.', 'ü', '.']) {
    const text = piece.repeat(500_000)
    const judge = () => expect(() => requireDomainName(text)).toThrow(ApiError)
    expect(passesOf(judge, text), piece).toBeLessThan(PASSES_MAX)
  }
  expect(() => requireDomainName('x')).toThrow(
    expect.objectContaining({ errors: { name: ['The name field must be a valid domain name.'] } }),
  )
})
