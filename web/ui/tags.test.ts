import { expect, test } from 'vitest'
import { pickSet, withoutUnset } from '../api/parameters.ts'
import { pathWith, type Query } from '../api/request.ts'
import { readListSearch } from './tables/search.ts'
import { readTagKey, showTag, tagFilter } from './tags.ts'

test.each([
  ['kind:order', 'kind: order', { tag: 'kind:order' }],
  ['kind:a:b', 'kind: a:b', { tag: 'kind:a:b' }],
  ['a%3Ab%25:c%', 'a:b%: c%', { tag: 'a:b%', tag_value: 'c%' }],
  ['alone:', 'alone', { tag: 'alone:' }],
  ['env%3Aprod:', 'env:prod', { tag: 'env:prod', tag_value: '' }],
])('the key %s is shown as %s', (key, shown, filter) => {
  expect(showTag(readTagKey(key))).toBe(shown)
  expect(tagFilter(readTagKey(key))).toEqual(filter)
})

test.each([
  [{ name: 'kind', value: 'order' }, '?tag=kind%3Aorder'],
  [{ name: 'alone', value: '' }, '?tag=alone%3A'],
  [{ name: 'env:prod', value: '' }, '?tag=env%3Aprod&tag_value='],
  [{ name: 'env:prod', value: 'x' }, '?tag=env%3Aprod&tag_value=x'],
])('the filter of %j reaches the address and the request as %s', (tag, query) => {
  const names = ['tag', 'tag_value', 'status'] as const
  const address = withoutUnset({ status: '', ...tagFilter(tag) })
  expect(pathWith('', address as Query)).toBe(query)
  const filters = pickSet(readListSearch(...names)({ ...address, to: '' }), names)
  expect(pathWith('/emails', filters)).toBe(`/emails${query}`)
})
