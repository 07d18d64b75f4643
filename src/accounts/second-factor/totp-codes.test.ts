import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readBase32, totpCode } from '../../../test/support/totp.ts'
import {
  deriveTotpKey,
  matchTotpStep,
  newTotpSecret,
  openTotpSecret,
  sealTotpSecret,
  totpSecretToJson,
} from './totp-codes.ts'

/** RFC 6238 appendix B, SHA-1. An app shows the last six of the eight digits. */
const VECTORS: [seconds: number, code: string][] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
]
const SECRET = Buffer.from('12345678901234567890')

test.each(VECTORS)('valid at second %i: the code of RFC 6238', (seconds, code) => {
  const at = new Date(seconds * 1000)
  expect(totpCode(SECRET, at, 8)).toBe(code)
  expect(matchTotpStep(SECRET, code.slice(2), at)).toBe(Math.floor(seconds / 30))
})

test('valid: the codes of the previous, current and next step, and no others', () => {
  const secret = randomBytes(20)
  const now = new Date('2026-03-01T12:00:10Z')
  const step = Math.floor(now.getTime() / 30_000)
  const codes = [-3, -2, -1, 0, 1, 2, 3].map((by) => totpCode(secret, new Date(now.getTime() + by * 30_000)))
  const [, , before, current, next] = codes as [string, string, string, string, string]
  expect([before, current, next].map((code) => matchTotpStep(secret, code, now))).toEqual([
    step - 1,
    step,
    step + 1,
  ])
  const others = codes.filter((code) => ![before, current, next].includes(code))
  expect(others.map((code) => matchTotpStep(secret, code, now))).toEqual(others.map(() => null))
})

test('valid in any grouping; null for text that is not a code', () => {
  const now = new Date(59_000)
  expect(['287 082', '287-082', ' 287082 '].map((code) => matchTotpStep(SECRET, code, now))).toEqual([
    1, 1, 1,
  ])
  for (const code of ['', '28708', '2870820', '94287082', '２８７０８２', '+87082', '0x1234'])
    expect(matchTotpStep(SECRET, code, now), code).toBeNull()
})

test('returned in the form that apps expect: 160 bits in base32, SHA-1, 6 digits, 30 seconds', () => {
  const secret = newTotpSecret()
  const shown = totpSecretToJson(secret, 'ann+mail@sender.test')
  expect(readBase32(shown.secret)).toEqual(secret)
  expect(secret).toHaveLength(20)
  const uri = new URL(shown.uri)
  expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp'])
  expect(decodeURIComponent(uri.pathname)).toBe('/Sendwright:ann+mail@sender.test')
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'Sendwright',
    secret: shown.secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

test('sealed for one user: it does not open with another id or another key', () => {
  const key = deriveTotpKey(randomBytes(32))
  const secret = newTotpSecret()
  const sealed = sealTotpSecret(key, 'ann', secret)
  expect(sealed.includes(secret)).toBe(false)
  expect(openTotpSecret(key, 'ann', sealed)).toEqual(secret)
  expect(() => openTotpSecret(key, 'bob', sealed)).toThrow()
  expect(() => openTotpSecret(deriveTotpKey(randomBytes(32)), 'ann', sealed)).toThrow()
})
