import { expect, test } from 'vitest'
import { canonicalAddress } from './canonical-address.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:C000:0201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:c000:201', '192.0.2.1'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::1', '::1'],
])('%s is %s', (text, canonical) => {
  expect(canonicalAddress(text)).toBe(canonical)
})

test.each([
  '',
  'unknown',
  '192.0.2.1:80',
  '[2001:db8::1]',
  '192.0.2',
  '192.0.2.1 ',
  '_hidden',
  '::1/64',
  '%',
])('null for "%s"', (text) => {
  expect(canonicalAddress(text)).toBe(null)
})
