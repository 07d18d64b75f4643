import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  ABBREVIATED_LOCAL_PARTS,
  RANDOM_LOCAL_PARTS,
  REAL_LOCAL_PARTS,
} from '../../../test/support/local-parts.ts'
import { PASSES_MAX, passesOf } from '../../../test/support/passes.ts'
import { NAME_CORPUS } from './name-corpus.ts'
import { looksRandom } from './random-input.ts'

test('not random: every local part of the table of real ones', () => {
  expect(REAL_LOCAL_PARTS.length).toBeGreaterThan(300)
  expect(REAL_LOCAL_PARTS.filter(looksRandom)).toEqual([])
})

test('not random: every name of the corpus, alone or two together', () => {
  const names = NAME_CORPUS.trim().split(/\s+/)
  const pairs = names.map((name, index) => `${name}${names[(index * 7 + 3) % names.length]}`)
  expect([...names, ...pairs].filter(looksRandom)).toEqual([])
})

test('random: at most three in a hundred abbreviations, which are as unlike words as noise is', () => {
  const taken = ABBREVIATED_LOCAL_PARTS.filter(looksRandom)
  expect(taken.length / ABBREVIATED_LOCAL_PARTS.length).toBeLessThan(0.03)
})

test('random: at least nineteen in twenty of keyboard mash and codes', () => {
  const missed = RANDOM_LOCAL_PARTS.filter((local) => !looksRandom(local))
  expect(RANDOM_LOCAL_PARTS.length).toBeGreaterThan(100)
  expect(missed.length / RANDOM_LOCAL_PARTS.length).toBeLessThan(0.06)
})

describe('always random', () => {
  const digest = (text: string) => createHash('sha256').update(text).digest('hex')
  const hundred = Array.from({ length: 100 }, (_, index) => `${index}`)

  test('UUIDs', () => {
    expect(hundred.map(() => randomUUID()).filter((uuid) => !looksRandom(uuid))).toEqual([])
  })

  test.each([16, 20, 32, 64])('hexadecimal digests of %i digits', (length) => {
    const digests = hundred.map((text) => digest(text).slice(0, length))
    expect(digests.filter((text) => /[a-f]/.test(text) && !looksRandom(text))).toEqual([])
  })
})

describe('never random', () => {
  test.each([
    ['letters outside ASCII', 'юджинхзщшгцу'],
    ['Chinese', '用户名字很长很长很长'],
    ['one such letter among others', 'xkjhfqwzé'],
    ['digits alone', '8347501928374650'],
    ['six letters', 'xqzkvw'],
    ['a label behind a plus sign', 'ann+9f86d081884c7d659a2f'],
    ['nothing but signs', `!#$%&'*-/=?^_{|}~`],
    ['an empty quoted string', '""'],
  ])('%s', (_, local) => {
    expect(looksRandom(local)).toBe(false)
  })
})

test('linear: the time for a local part by its length', () => {
  for (const piece of ['x', 'xq', 'k3', 'asd', '-']) {
    const local = piece.repeat(64_000 / piece.length)
    expect(
      passesOf(() => looksRandom(local), local),
      piece,
    ).toBeLessThan(PASSES_MAX)
  }
})
