import { expect, test } from 'vitest'
import { isLongerThan } from './is-longer-than.ts'

test.each([
  ['', 0, false],
  ['a', 0, true],
  ['abc', 3, false],
  ['abcd', 3, true],
  ['😀😀😀', 3, false],
  ['😀😀😀', 2, true],
  ['a😀b', 3, false],
  ['a😀b', 2, true],
  ['aaaa😀', 5, false],
  ['aaaaa😀', 5, true],
  // Halves of a pair count as code points of their own.
  ['\ud83d\ud83d', 1, true],
  ['\ude00\ud83d\ude00', 2, false],
  ['\ud83d\ud83d\ude00', 2, false],
  ['\ud83d\ud83d\ude00', 1, true],
])('%j with more than %i code points: %s', (text, count, isLonger) => {
  expect(isLongerThan(text, count)).toBe(isLonger)
  expect([...text].length > count).toBe(isLonger)
})
