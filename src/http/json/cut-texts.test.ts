import { expect, test } from 'vitest'
import { cutLongTexts } from './cut-texts.ts'

const LIMIT = 41_000_000

function cutOf(text: string): string {
  const value = { list: [{ text }], other: 'x', count: 1, nothing: null, octets: new Uint8Array(3) }
  cutLongTexts(value)
  expect(value).toMatchObject({ other: 'x', count: 1, nothing: null, octets: new Uint8Array(3) })
  return value.list[0]?.text ?? ''
}

test('a text that no field can hold is cut, but stays longer than any limit', () => {
  for (const unit of ['a', 'é', '語', '😀']) {
    const octets = Buffer.byteLength(cutOf(unit.repeat(90_000_000 / Buffer.byteLength(unit))))
    expect([unit, octets <= LIMIT, octets > LIMIT - 4]).toEqual([unit, true, true])
  }
})

test('a text of another field is cut sooner', () => {
  const value = { subject: 'a'.repeat(2_000_001), to: ['b'.repeat(3_000_000)], html: 'c'.repeat(2_000_001) }
  cutLongTexts(value)
  expect([value.subject.length, value.to[0]?.length, value.html.length]).toEqual([
    2_000_000, 2_000_000, 2_000_001,
  ])
})

test('a text that a message can hold stays', () => {
  for (const text of ['a'.repeat(37_500_000), `é${'a'.repeat(37_000_000)}`, 'é'.repeat(18_750_000)])
    expect(cutOf(text) === text).toBe(true)
})
