import { createHmac, randomBytes } from 'node:crypto'
import { hmacKey } from '../../lib/crypto/hmac-key.ts'
import { deriveKey } from '../../lib/crypto/seal.ts'

export const RECOVERY_CODES = 10
/** 32 characters without those that look like others: five bits each, 60 in all. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789'
const CODE_LENGTH = 12
const GROUP_LENGTH = 4

/** Codes are hashed with a key of the installation: who has the database alone cannot even try them. */
export function deriveRecoveryKey(master: Buffer): Buffer {
  return deriveKey(master, 'recovery codes')
}

/** Ten codes, in groups of four characters: `7kfa-2m9q-x0dp`. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>()
  while (codes.size < RECOVERY_CODES) codes.add(newCode())
  return [...codes]
}

function newCode(): string {
  // 256 is a multiple of 32: each character is as likely as the others.
  const characters = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  const code = characters.join('')
  return [0, 1, 2].map((group) => code.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH)).join('-')
}

/** However it was typed: upper case, without hyphens, with spaces. Null: no code looks like this. */
export function hashRecoveryCode(key: Buffer, userId: string, typed: string): Buffer | null {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '')
  const isCode = code.length === CODE_LENGTH && [...code].every((character) => ALPHABET.includes(character))
  return isCode ? createHmac('sha256', hmacKey(key)).update(`${userId} ${code}`).digest() : null
}
