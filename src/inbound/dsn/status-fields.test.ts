import { expect, test } from 'vitest'
import { passesOf } from '../../../test/support/passes.ts'
import { readStatusFields } from './status-fields.ts'

/** A reply of far more lines than are kept of it. */
const LONG = `Diagnostic-Code: smtp; 550 5.1.1 no\n${' such user\n'.repeat(5_000)}`.trimEnd()
const groupOf = (address: string) => `Final-Recipient: rfc822; ${address}\nAction: failed\n${LONG}`
const addressesIn = (text: string) => readStatusFields(text).map(({ address }) => address)

test.each([
  ['an empty line', '\n\n'],
  ['a line of spaces', '\n \t\n'],
  ['nothing but the next field', '\n'],
  ['a line that is no field, and an empty one', '\nlost: words\nmore words\n\n'],
])('a recipient after a reply of 5,000 lines is found, behind %s', (_, between) => {
  expect(addressesIn(groupOf('a@x.test') + between + groupOf('b@x.test'))).toEqual(['a@x.test', 'b@x.test'])
})

test.each([
  ['without a line end', ''],
  ['with one', '\n'],
  ['with empty lines', '\n\n\n'],
  ['with words and no colon', '\n\nmore words\nand more'],
])('a report ends after such a reply %s', (_, end) => {
  expect(addressesIn(groupOf('a@x.test') + end)).toEqual(['a@x.test'])
})

test('340,000 empty lines far before the next colon take linear time', () => {
  const text = `Status: 5.1.1\n${'a\n\n'.repeat(340_000)}`
  // It takes a fifth of that. A search for a colon from each line is fast by itself, so the usual limit would not see it.
  const limit = 150
  expect(passesOf(() => readStatusFields(text), text, limit)).toBeLessThan(limit)
})
