import { expect, test } from 'vitest'
import { OverloadedError } from '../../lib/async/batcher.ts'
import { createPasswords } from './password-hash.ts'

/** From the test vectors of the argon2 reference implementation (src/test.c). */
const REFERENCE = [
  ['password', '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'],
  ['password', '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc'],
] as const

test('true for the hashes of the reference implementation, and false for any other password', async () => {
  const passwords = createPasswords()
  for (const [password, phc] of REFERENCE) {
    expect(await passwords.verify(password, phc)).toBe(true)
    expect(await passwords.verify(`${password} `, phc)).toBe(false)
    expect(passwords.isOutdated(phc)).toBe(true)
  }
})

test("hashed with OWASP's parameters and a new salt each time; false without a user", async () => {
  const passwords = createPasswords()
  const [one, other] = await Promise.all([passwords.hash('pässword'), passwords.hash('pässword')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(other).not.toBe(one)
  expect(passwords.isOutdated(one)).toBe(false)
  // The same letters, composed and decomposed, as two keyboards may send them.
  expect(await passwords.verify('pa\u0308ssword', one)).toBe(true)
  expect(await passwords.verify('pässword', null)).toBe(false)
})

test('overloaded beyond a short queue, so that strangers cannot use up the memory of a process', async () => {
  const passwords = createPasswords()
  const phc = REFERENCE[0][1]
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, () => passwords.verify('password', phc)),
  )
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(18)
  for (const outcome of refused)
    expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(OverloadedError)
  expect(await passwords.verify('password', phc)).toBe(true)
})
