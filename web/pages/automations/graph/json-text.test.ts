import { expect, test } from 'vitest'
import { parseValue, shownText, typedJson } from './json-text.ts'

test('a text stays as typed while it stands for the value', () => {
  const typed = typedJson('[1,\n2]', [1])
  expect(parseValue(typed.text)).toEqual({ value: [1, 2] })
  expect(shownText(typed, [1, 2])).toBe('[1,\n2]')
})

test('a text that cannot be parsed stays until the value is changed elsewhere', () => {
  const typed = typedJson('[1,', [1])
  expect(parseValue(typed.text)).toBeNull()
  expect(shownText(typed, [1])).toBe('[1,')
  expect(shownText(typed, [3])).toBe('[\n  3\n]')
})

test('what is not set is an empty text', () => {
  expect([undefined, {}, []].map((value) => shownText(null, value))).toEqual(['', '', ''])
  expect(shownText(typedJson('', [1]), undefined)).toBe('')
})
