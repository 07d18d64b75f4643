import { expect, test } from 'vitest'
import { anyPhrase, oneOf } from './phrases.ts'

test('a pattern of phrases matches what one of them matches', () => {
  const pattern = anyPhrase(/no such user/i, /(?:mailbox|address) unknown/i)
  expect(['No such USER here', 'address unknown', 'user unknown'].map((text) => pattern.test(text))).toEqual([
    true,
    true,
    false,
  ])
  expect(new RegExp(`^${oneOf(/a|b/, 'c')}$`).source).toBe('^(?:a|b|c)$')
})

test('an error if the phrases have different flags', () => {
  expect(() => anyPhrase(/a/i, /b/u)).toThrow('Phrases of one pattern differ in their flags.')
})
