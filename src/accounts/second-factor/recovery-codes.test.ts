import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { deriveRecoveryKey, hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'

const key = deriveRecoveryKey(randomBytes(32))

test('ten distinct codes of characters that are not mistaken for others', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z02-9]{4}(-[a-hjkmnp-z02-9]{4}){2}$/)
})

test('the same hash in any spelling; another for another user or key', () => {
  const [code = ''] = newRecoveryCodes()
  const hash = hashRecoveryCode(key, 'ann', code)
  expect(hash).toHaveLength(32)
  for (const typed of [code.toUpperCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')} `])
    expect(hashRecoveryCode(key, 'ann', typed)).toEqual(hash)
  expect(hashRecoveryCode(key, 'bob', code)).not.toEqual(hash)
  expect(hashRecoveryCode(deriveRecoveryKey(randomBytes(32)), 'ann', code)).not.toEqual(hash)
})

test('null for text that is not a code', () => {
  for (const typed of ['', '123456', 'aaaa-aaaa-aaa', 'aaaa-aaaa-aaaa-a', 'aaaa-aaaa-aaa1', 'aaaa-aaaa-aaaé'])
    expect(hashRecoveryCode(key, 'ann', typed), typed).toBeNull()
})
