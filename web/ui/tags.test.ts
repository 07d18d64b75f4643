import { expect, test } from 'vitest'
import { readTagKey, showTag, tagFilter } from './tags.ts'

test.each([
  ['kind:order', 'kind: order', { tag: 'kind:order' }],
  ['kind:a:b', 'kind: a:b', { tag: 'kind:a:b' }],
  ['a%3Ab%25:c%', 'a:b%: c%', { tag: 'a:b%', tag_value: 'c%' }],
  ['alone:', 'alone', { tag: 'alone:' }],
])('the key %s is shown as %s', (key, shown, filter) => {
  expect(showTag(readTagKey(key))).toBe(shown)
  expect(tagFilter(readTagKey(key))).toEqual(filter)
})
