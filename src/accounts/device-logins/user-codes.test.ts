import { expect, test } from 'vitest'
import { deriveUserCodeKey, formatUserCode, hashUserCode, newUserCode, parseUserCode } from './user-codes.ts'

test('a code has 8 letters that are hard to confuse, in two groups', () => {
  const codes = Array.from({ length: 200 }, newUserCode)
  for (const code of codes) expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
  expect(new Set(codes).size).toBe(codes.length)
  expect(formatUserCode('BCDFGHJK')).toBe('BCDF-GHJK')
})

test.each(['BCDF-GHJK', 'bcdf ghjk', ' bcdfghjk\n', 'B-C-D-F-G-H-J-K'])('%j is read as typed', (typed) => {
  expect(parseUserCode(typed)).toBe('BCDFGHJK')
})

test.each(['', 'BCDF', 'BCDFGHJKL', 'ABCDFGHJ', 'BCDF_GHJK', 'ＢCDFGHJK', `${'-'.repeat(49)}B`])(
  '%j is no code',
  (typed) => expect(parseUserCode(typed)).toBeNull(),
)

test('hashes of one code differ between installations', () => {
  const hashOf = (master: number) =>
    hashUserCode(deriveUserCodeKey(Buffer.alloc(32, master)), 'BCDFGHJK').toString('hex')
  expect(hashOf(1)).toBe(hashOf(1))
  expect(hashOf(1)).not.toBe(hashOf(2))
})
