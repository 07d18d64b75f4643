import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { hashToken } from '../lib/crypto/random-token.ts'

const PREFIX = 'sw_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 34 characters of base62 are 202 bits. */
const RANDOM_LENGTH = 34
const CHECKSUM_LENGTH = 6
const SHOWN_LENGTH = 8

/** A new API key: `sw_`, 34 random base62 characters, and their checksum, so that secret scanners can tell a real one. */
export function newKeyToken(): string {
  let random = ''
  while (random.length < RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      // 248 is the largest multiple of 62 in a byte: above it some characters would come up more often.
      if (byte < 248 && random.length < RANDOM_LENGTH) random += BASE62[byte % 62]
    }
  }
  return PREFIX + random + checksum(random)
}

/** CRC-32 in base62, six digits. */
function checksum(random: string): string {
  let rest = crc32(random)
  let digits = ''
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** What is kept of a key: its SHA-256 and its first characters. 202 random bits need no slow hash. */
export function digestKey(token: string): { hash: Buffer; prefix: string } {
  return { hash: hashToken(token), prefix: token.slice(0, SHOWN_LENGTH) }
}
