import { describe, expect, test } from 'vitest'
import { requireGoodPassword } from './password-rules.ts'

const check = (password: string) => () => requireGoodPassword(password, 'ann.o.nymous@example.com')

describe('rejected', () => {
  for (const password of [
    '123456789',
    '😀'.repeat(9),
    'x'.repeat(1025),
    'aaaaaaaaaaaa',
    '1234567890',
    '9876543210',
    'Password123!',
    'p@ssw0rd2026',
    'QwertyUiop1',
    'sendwright2026',
    'ann.o.nymous@example.com',
    'Ann.O.Nymous',
  ]) {
    test(password.slice(0, 40), () => expect(check(password)).toThrow(/password field/))
  }
})

describe('accepted', () => {
  for (const password of [
    'correct horse',
    '😀🎈🎉'.repeat(4),
    'xkq'.repeat(341),
    'zwölf Boxkämpfer',
    '8205513946',
    // Too long for its stem to be looked up.
    `password${'1'.repeat(200)}`,
  ]) {
    test(password.slice(0, 40), () => expect(check(password)).not.toThrow())
  }
})
