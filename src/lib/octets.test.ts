import { expect, test } from 'vitest'
import { freeOctets, joinAndFree } from './octets.ts'

test('freed: a large Buffer with its own memory; kept: a view, and a small Buffer', () => {
  const own = Buffer.alloc(100_000, 'a')
  const shared = Buffer.alloc(100_000, 'b')
  const view = shared.subarray(0, 50_000)
  const small = Buffer.from('c')
  for (const octets of [own, view, small, Buffer.alloc(0)]) freeOctets(octets)
  expect(own.length).toBe(0)
  expect(view.toString()).toBe('b'.repeat(50_000))
  expect(small.toString()).toBe('c')
})

test('joined in order, for any sizes', () => {
  expect(joinAndFree([])).toEqual(Buffer.alloc(0))
  expect(joinAndFree([Buffer.from('a'), Buffer.from('bc')]).toString()).toBe('abc')
  const pieces = ['a', 'b'.repeat(50_000), '', 'c'.repeat(20_000)]
  expect(joinAndFree(pieces.map((piece) => Buffer.from(piece))).toString()).toBe(pieces.join(''))
})
