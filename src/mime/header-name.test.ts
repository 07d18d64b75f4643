import { expect, test } from 'vitest'
import { checkGivenHeader, checkHeader, headersToSend } from './header-name.ts'

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
])('refused with any value: %j', (name) => {
  expect(checkHeader(name, 'x')?.problem).toMatch(/_name$|^name_characters$|^service_field$/)
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
  expect(checkHeader('X-Test', value)?.problem).toMatch(/^long_value$|^value_characters$/)
})

test('Return-Path and Date are left out and Message-ID is taken out, in any letter case', () => {
  const given: [string, string][] = [
    ['X-A', '1'],
    ['date', 'Fri'],
    ['RETURN-PATH', '<a@b.test>'],
    ['message-id', '<1@app.test>'],
    ['Message-ID', '<2@app.test>'],
  ]
  for (const [name, value] of given) expect(checkGivenHeader(name, value)).toBeNull()
  expect(headersToSend(given)).toEqual({ fields: [['X-A', '1']], messageId: '<1@app.test>' })
})

test('one X-Original-Message-ID is sent', () => {
  const given: [string, string][] = [
    ['x-original-message-id', '<1@app.test>'],
    ['X-Original-Message-ID', '<2@app.test>'],
  ]
  expect(headersToSend(given)).toEqual({
    fields: [['X-Original-Message-ID', '<1@app.test>']],
    messageId: null,
  })
})

test.each(['Return-Path', 'Date', 'Message-ID'])(
  'refused: a value of %s that would end the field',
  (name) => {
    expect(checkGivenHeader(name, '<1@app.test>\r\nBcc: x@y.test')).toEqual({ problem: 'value_characters' })
    expect(checkGivenHeader(name, 'x'.repeat(4001))).toEqual({ problem: 'long_value', charsMax: 4000 })
  },
)

test.each(['From', 'Received', 'Sender'])('refused: %s', (name) => {
  expect(checkGivenHeader(name, 'x')).toEqual({ problem: 'service_field' })
})
