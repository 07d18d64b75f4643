import { createHmac, randomInt } from 'node:crypto'
import { hmacKey } from '../../lib/crypto/hmac-key.ts'
import { deriveKey } from '../../lib/crypto/seal.ts'

/** Consonants only, so that no code is a word, without letters that look alike (RFC 8628 section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8
const VALID = new RegExp(`^[${LETTERS}]{${LENGTH}}$`)

/** Returns a new code of 8 letters. With 2.5e10 codes and few attempts, none is guessed while it lives. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

/** Returns a code as people read it: two groups of four letters. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`
}

/** Returns the code that a person typed, in any case and with any separators, or null if it cannot be one. */
export function parseUserCode(text: string): string | null {
  const code = text.toUpperCase().replace(/[\s-]+/g, '')
  return VALID.test(code) ? code : null
}

/** Derives the key for hashes of user codes. Without it, a copy of the database does not allow guessing them. */
export function deriveUserCodeKey(master: Buffer): Buffer {
  return deriveKey(master, 'user codes')
}

/** @param code from newUserCode or parseUserCode */
export function hashUserCode(key: Buffer, code: string): Buffer {
  return createHmac('sha256', hmacKey(key)).update(code).digest()
}
