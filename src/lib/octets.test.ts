import { expect, test } from 'vitest'
import { freeOctets, joinAndFree, joinInTurns } from './octets.ts'

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

test('joined in turns: the same octets, with other work in between', async () => {
  let turns = 0
  const count = setInterval(() => turns++, 0)
  const pieces = Array.from({ length: 30 }, (_, index) => Buffer.alloc(1_000_000, index + 1))
  const expected = Buffer.concat(pieces)
  const joined = await joinInTurns(pieces)
  clearInterval(count)
  expect(joined.equals(expected)).toBe(true)
  expect(pieces.every((piece) => piece.length === 0)).toBe(true)
  expect(turns).toBeGreaterThan(0)
  expect(await joinInTurns([])).toEqual(Buffer.alloc(0))
})
