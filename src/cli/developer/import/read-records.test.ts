import { expect, test } from 'vitest'
import { findText, readRecords } from './read-records.ts'

test.each([
  ['commas', ',', '550 5.1.1 unknown user; see https://help.example, really'],
  ['semicolons', ';', '550 5.1.1 unknown user, see\thttps://help.example'],
  ['tabs', '\t', '550 5.1.1 unknown user; see, https://help.example'],
])('fields between %s have the other delimiters as text', (_, delimiter, text) => {
  const reason = text.replaceAll(delimiter, '')
  const rows = [
    ['"status; or, code"', 'reason', 'email'],
    ['5.1.1', reason, 'gone@customer.example'],
  ]
  const csv = `\ufeff\r\n${rows.map((row) => row.join(delimiter)).join('\r\n')}\r\n`
  const [record, ...others] = readRecords('bounces.csv', Buffer.from(csv))
  expect(others).toEqual([])
  if (record === undefined) throw new Error('no record')
  expect([findText(record, 'reason'), findText(record, 'email')]).toEqual([reason, 'gone@customer.example'])
})

test.each([
  ['a line break in a quoted name', '"status\ncode";email\n5.1.1;ann@customer.example\n'],
  ['a first column without a name', '\temail\n1\tann@customer.example\n'],
])('%s does not hide the delimiter', (_, csv) => {
  const [record] = readRecords('bounces.csv', Buffer.from(csv))
  expect(record?.fields.get('email')).toBe('ann@customer.example')
})

test('a column alone needs no delimiter', () => {
  const [record] = readRecords('addresses.csv', Buffer.from('email\nann@customer.example\n'))
  expect([...(record?.fields ?? [])]).toEqual([['email', 'ann@customer.example']])
})
