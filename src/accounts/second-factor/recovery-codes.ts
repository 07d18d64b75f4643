import { createHmac, randomBytes } from 'node:crypto'
import { hmacKey } from '../../lib/crypto/hmac-key.ts'
import { deriveKey } from '../../lib/crypto/seal.ts'

export const RECOVERY_CODES = 10
/** 32 characters without look-alikes: five bits each, 60 bits in all. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789'
const CODE_LENGTH = 12
const GROUP_LENGTH = 4

/** Derives the key for hashes of codes. With a copy of the database alone, codes cannot even be guessed. */
export function deriveRecoveryKey(master: Buffer): Buffer {
  return deriveKey(master, 'recovery codes')
}

/** Returns ten codes in groups of four characters: `7kfa-2m9q-x0dp`. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>()
  while (codes.size < RECOVERY_CODES) codes.add(newCode())
  return [...codes]
}

function newCode(): string {
  // 256 is a multiple of 32, so all characters are equally likely.
  const characters = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  const code = characters.join('')
  return [0, 1, 2].map((group) => code.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH)).join('-')
}

/**
 * Hashes a typed code in any spelling: upper case, without hyphens, with spaces. Returns null if the text cannot be a
 * code.
 */
export function hashRecoveryCode(key: Buffer, userId: string, typed: string): Buffer | null {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '')
  const isCode = code.length === CODE_LENGTH && [...code].every((character) => ALPHABET.includes(character))
  return isCode ? createHmac('sha256', hmacKey(key)).update(`${userId} ${code}`).digest() : null
}
