import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { hashToken } from '../lib/crypto/random-token.ts'

/** The prefix of a key, with the name of the cell that issued it, if it has one (SENDWRIGHT_CELL). */
const PREFIX = /^sw_(?:([a-z0-9]{1,8})_)?/
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 34 characters of base62 are 202 bits. */
const RANDOM_LENGTH = 34
const CHECKSUM_LENGTH = 6
/** Characters of a key that are shown after its prefix. */
const SHOWN_LENGTH = 5

/**
 * Generates an API key: `sw_`, the name of the cell and `_` if it has one, 34 random base62 characters, and a checksum
 * of cell and characters, which lets secret scanners recognize real keys. A load balancer finds the cell by the prefix.
 */
export function newKeyToken(cell: string | null): string {
  let random = ''
  while (random.length < RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      // 248 is the largest multiple of 62 that fits in a byte. Larger bytes would make some characters more frequent.
      if (byte < 248 && random.length < RANDOM_LENGTH) random += BASE62[byte % 62]
    }
  }
  const name = cell === null ? '' : `${cell}_`
  return `sw_${name}${random}${checksum(name + random)}`
}

/** Returns the CRC-32 in base62, six digits. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Returns the cell that a token names, or null. The token need not be a valid key. */
export function cellOfToken(token: string): string | null {
  return PREFIX.exec(token)?.[1] ?? null
}

/**
 * Returns the stored parts of a key: its SHA-256 and its first characters. With 202 random bits, a slow hash is
 * unnecessary.
 */
export function digestKey(token: string): { hash: Buffer; prefix: string } {
  const prefix = PREFIX.exec(token)?.[0] ?? ''
  // A key that the operator chose may have another prefix.
  return { hash: hashToken(token), prefix: token.slice(0, (prefix || 'sw_').length + SHOWN_LENGTH) }
}
