import { expect, test } from 'vitest'
import { checkHeader } from './header-name.ts'

test.each([
  ['X-Entity-Ref-ID', '123'],
  ['List-Unsubscribe', '<https://example.com/u>'],
  ['In-Reply-To', '<a@example.com>'],
  ['X', ''],
  ['X'.repeat(76), 'Grüße 😀'],
  ['X-Encoded', '=?utf-8?q?=0d=0a?= %0d%0a'],
  ['Contentment', 'x'],
  ['X-Long', '😀'.repeat(4000)],
  ['X-Sendwright-Require-TLS', 'yes'],
  ['Archived-At', '<https://example.com/1>'],
  ['X-Received-SPF', 'x'],
])('accepted: %.30s', (name, value) => {
  expect(checkHeader(name, value)).toBeNull()
})

test.each([
  '',
  ' ',
  'X Y',
  'X:',
  'X\r\nBcc',
  'X\0',
  'Ünique',
  'X\u007f',
  'X'.repeat(77),
  'From',
  'FROM',
  'to',
  'Cc',
  'bCC',
  'Subject',
  'Date',
  'Message-ID',
  'MIME-Version',
  'Content-Type',
  'content-anything',
  'DKIM-Signature',
  'Received',
  'Return-Path',
  'Sender',
  'Reply-To',
  'Resent-From',
  'resent-x',
  'Authentication-Results',
  'AUTHENTICATION-RESULTS',
  'Received-SPF',
  'ARC-Seal',
  'arc-message-signature',
  'ARC-Authentication-Results',
  'X-Sendwright-Tag',
  'x-sendwright-anything',
])('refused, whatever its value: %j', (name) => {
  expect(checkHeader(name, 'x')).toMatch(/^(?:A header name|The header) .*\.$/)
})

test.each([
  'a\r\nBcc: x',
  'a\nb',
  'a\rb',
  'a\0',
  'a\tb',
  'a\u007f',
  'a\u0085',
  'a\u2028b',
  'a\ud800',
  '😀'.repeat(4001),
])('refused value: %.30j', (value) => {
  expect(checkHeader('X-Test', value)).toMatch(/^The value of the header X-Test must not .*\.$/)
})
