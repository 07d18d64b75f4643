import { expect, test } from 'vitest'
import { hasLongText, OctetsText, toJsonPieces, toJsonPiecesInTurns } from './json-pieces.ts'

const written = (value: unknown) => Buffer.concat(toJsonPieces(value)).toString()

test('the same octets as JSON.stringify for plain data', () => {
  const values = [
    null,
    true,
    1.5,
    'a"b\\\n\u2028\ud800é😀',
    [],
    {},
    { a: undefined, b: null, c: [1, [2, { d: '' }]], 'ke"y': { e: [] } },
    [undefined, 'x'],
    { at: new Date(0) },
  ]
  for (const value of values) expect(written(value)).toBe(JSON.stringify(value))
})

test('the same for long strings, with pairs of surrogates across every cut', () => {
  for (const text of [
    '\n'.repeat(3_000_000),
    '😀'.repeat(400_001),
    `x${'😀'.repeat(400_001)}`,
    'é\ud800'.repeat(300_000),
  ]) {
    expect(written({ text }) === JSON.stringify({ text })).toBe(true)
  }
})

test('octets as Latin-1 text and as Base64, complete across every cut', () => {
  const octets = Buffer.from(Array.from({ length: 1_000_003 }, (_, index) => index % 251))
  const value = { raw: new OctetsText(octets, 'latin1'), content: new OctetsText(octets, 'base64') }
  const plain = { raw: octets.toString('latin1'), content: octets.toString('base64') }
  expect(written(value) === JSON.stringify(plain)).toBe(true)
})

test('pieces of a few megabytes for a text of any length', () => {
  const pieces = toJsonPieces({ text: '\n'.repeat(10_000_000) })
  expect(pieces.length).toBeGreaterThan(3)
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(8_000_000)
})

test('in turns: the same octets in small pieces, with other work between them', async () => {
  const value = { html: '\t'.repeat(1_000_000), list: [1, 'x'] }
  let turns = 0
  const count = setInterval(() => turns++, 0)
  const pieces = await toJsonPiecesInTurns(value)
  clearInterval(count)
  expect(Buffer.concat(pieces).toString() === JSON.stringify(value)).toBe(true)
  expect(pieces.length).toBeGreaterThan(3)
  expect(turns).toBeGreaterThan(0)
})

test('a long text is found in the object and in an object of it', () => {
  const long = 'x'.repeat(300_000)
  expect([long, { long }, { template: { long } }].map(hasLongText)).toEqual([true, true, true])
  expect([null, 'x', {}, { a: 1, b: null }, [{ long: 'x' }]].map(hasLongText)).toEqual(Array(5).fill(false))
})
