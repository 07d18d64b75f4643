import { expect, test } from 'vitest'
import { readRequireTls, withoutRequireTls } from './require-tls.ts'

const onWire = (message: string) => Buffer.concat(withoutRequireTls(Buffer.from(message))).toString()

test.each([
  ['first', 'X-Sendwright-Require-TLS: yes\r\nA: b\r\n\r\nbody', 'A: b\r\n\r\nbody'],
  [
    'last, folded, in another case',
    'A: b\r\nx-sendwright-REQUIRE-tls:\r\n yes\r\n\r\nbody',
    'A: b\r\n\r\nbody',
  ],
  ['twice', 'X-Sendwright-Require-TLS: no\r\nA: b\r\nX-Sendwright-Require-TLS: x\r\n\r\n', 'A: b\r\n\r\n'],
])('removed before sending: the field %s', (_, message, left) => {
  expect(onWire(message)).toBe(left)
})

test.each([
  'A: b\r\n\r\nX-Sendwright-Require-TLS: yes\r\n',
  'A: X-Sendwright-Require-TLS: yes\r\n\r\n',
  'X-Sendwright-Require-TLS-Not: yes\r\n\r\n',
])('unchanged: %j', (message) => {
  expect(onWire(message)).toBe(message)
})

test('yes and true require it, no and false do not, anything else is invalid', () => {
  expect(['yes', 'TRUE', 'No', 'false', '', 'yes please'].map(readRequireTls)).toEqual([
    true,
    true,
    false,
    false,
    null,
    null,
  ])
})
