import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { hashToken } from '../lib/crypto/random-token.ts'

const PREFIX = 'sw_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 34 characters of base62 are 202 bits. */
const RANDOM_LENGTH = 34
const CHECKSUM_LENGTH = 6
const SHOWN_LENGTH = 8

/**
 * Generates an API key: `sw_`, 34 random base62 characters, and their checksum, which lets secret scanners recognize
 * real keys.
 */
export function newKeyToken(): string {
  let random = ''
  while (random.length < RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      // 248 is the largest multiple of 62 that fits in a byte. Larger bytes would make some characters more frequent.
      if (byte < 248 && random.length < RANDOM_LENGTH) random += BASE62[byte % 62]
    }
  }
  return PREFIX + random + checksum(random)
}

/** Returns the CRC-32 in base62, six digits. */
function checksum(random: string): string {
  let rest = crc32(random)
  let digits = ''
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/**
 * Returns the stored parts of a key: its SHA-256 and its first characters. With 202 random bits, a slow hash is
 * unnecessary.
 */
export function digestKey(token: string): { hash: Buffer; prefix: string } {
  return { hash: hashToken(token), prefix: token.slice(0, SHOWN_LENGTH) }
}
