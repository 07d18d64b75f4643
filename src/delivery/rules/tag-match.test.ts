import { expect, test } from 'vitest'
import { checkShape } from '../../http/json/shape.ts'
import { bearsTag, readTagMatch, TagText } from './tag-match.ts'

test.each<[string, { name: string; value: string }]>([
  ['kind', { name: 'kind', value: 'anything' }],
  ['kind=receipt', { name: 'kind', value: 'receipt' }],
  ['kind=', { name: 'kind', value: '' }],
  ['Größe: L=a, b', { name: 'Größe: L', value: 'a, b' }],
  ['a%3Db=100%25', { name: 'a=b', value: '100%' }],
])('%s matches its tag', (text, tag) => {
  expect(checkShape(TagText, text)).toBeNull()
  expect(bearsTag([tag], readTagMatch(text))).toBe(true)
  expect(bearsTag([{ ...tag, name: `${tag.name}x` }], readTagMatch(text))).toBe(false)
})

test.each(['', '=x', 'a=b=c', 'a%', 'a=%ff', 'a\nb', 'x'.repeat(257)])('%j is no condition', (text) => {
  expect(checkShape(TagText, text)).not.toBeNull()
})
