import { createHmac, timingSafeEqual } from 'node:crypto'
import { hmacKey } from './hmac-key.ts'

/** 128 bits cannot be guessed, and keep a link short. */
const MAC_BYTES = 16
/** Far more than our links contain; longer texts are not even decoded. */
const TEXT_LENGTH_MAX = 4096

function macOf(secret: Buffer, payload: Buffer): Buffer {
  return createHmac('sha256', hmacKey(secret)).update(payload).digest().subarray(0, MAC_BYTES)
}

/**
 * Signs `payload` for use in links: base64url of the payload and an HMAC-SHA256 over it, truncated to 128 bits. The
 * payload is readable by anyone who has the link.
 */
export function signToken(secret: Buffer, payload: Buffer): string {
  return Buffer.concat([payload, macOf(secret, payload)]).toString('base64url')
}

/** Returns the payload of a signed token; null for any other text, including another spelling of a genuine one. */
export function readToken(secret: Buffer, text: string): Buffer | null {
  if (text.length > TEXT_LENGTH_MAX) return null
  const bytes = Buffer.from(text, 'base64url')
  // Decoding ignores foreign characters and spare bits, but one changed character must make another token.
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return null
  const payload = bytes.subarray(0, -MAC_BYTES)
  return timingSafeEqual(bytes.subarray(-MAC_BYTES), macOf(secret, payload)) ? payload : null
}
