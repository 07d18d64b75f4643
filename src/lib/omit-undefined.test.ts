import { expect, test } from 'vitest'
import { omitUndefined } from './omit-undefined.ts'

test('fields without a value are absent; null, false, 0 and empty text stay', () => {
  const fields = { a: undefined, b: null, c: false, d: 0, e: '' }
  expect(Object.entries(omitUndefined(fields))).toEqual([
    ['b', null],
    ['c', false],
    ['d', 0],
    ['e', ''],
  ])
})
