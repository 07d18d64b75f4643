import { expect, test } from 'vitest'
import { cutText } from './cut-text.ts'

test.each([
  ['', 3, ''],
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['a😀b', 3, 'a😀b'],
  ['a😀bc', 2, 'a😀'],
])('%j has at most %d characters, and none is cut in half', (text, charsMax, cut) => {
  expect(cutText(text, charsMax)).toBe(cut)
})
