import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 8192
const pool = Buffer.allocUnsafe(POOL_BYTES)
let poolAt = POOL_BYTES
let lastMs = 0
let sequence = 0

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function randomByte(): number {
  if (poolAt >= POOL_BYTES) {
    randomFillSync(pool)
    poolAt = 0
  }
  return pool[poolAt++] as number
}

/**
 * Returns a UUIDv7 (RFC 9562 section 5.7), lower case: 48 bits of Unix milliseconds, a 12-bit counter within a
 * millisecond, so that the ids of one process are in order, and 62 random bits.
 */
export function newId(atMs: number = Date.now()): string {
  if (atMs > lastMs) {
    lastMs = atMs
    sequence = ((randomByte() << 8) | randomByte()) & 0x3ff
  } else if (++sequence > 0xfff) {
    // More than 3,000 ids in one millisecond: borrow from the next, order matters more than the clock.
    lastMs++
    sequence = 0
  }
  const high = Math.floor(lastMs / 0x10000)
  const low = lastMs & 0xffff
  const h = (byte: number) => HEX[byte & 0xff] as string
  const r = () => HEX[randomByte()] as string
  return (
    `${h(high >>> 24)}${h(high >>> 16)}${h(high >>> 8)}${h(high)}-${h(low >>> 8)}${h(low)}-` +
    `${h(0x70 | (sequence >>> 8))}${h(sequence)}-${h(0x80 | (randomByte() & 0x3f))}${r()}-${r()}${r()}${r()}${r()}${r()}${r()}`
  )
}

/** Returns the smallest UUIDv7 of an instant: the bound of a time range over ids. */
export function firstIdAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`
}

/** Returns the instant in a UUIDv7, in milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** The length of a UUID in octets. */
export const UUID_BYTES = 16

/** Returns the octets of a UUID in text form. */
export function encodeUuid(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

/** Returns the text form, lower case, of a UUID's first sixteen octets. */
export function decodeUuid(octets: Buffer): string {
  const hex = octets.toString('hex', 0, UUID_BYTES)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/**
 * Returns an id for a part of a record that has none of its own, such as an attachment: the id of the record, with the
 * index of the part added to its last 16 bits.
 */
export function partId(id: string, index: number): string {
  const octets = encodeUuid(id)
  const tailAt = UUID_BYTES - 2
  octets.writeUInt16BE((octets.readUInt16BE(tailAt) + index + 1) % 0x10000, tailAt)
  return decodeUuid(octets)
}
