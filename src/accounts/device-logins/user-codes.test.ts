import { expect, test } from 'vitest'
import { formatUserCode, newUserCode, parseUserCode } from './user-codes.ts'

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
