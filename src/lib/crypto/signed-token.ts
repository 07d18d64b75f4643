import { createHmac, timingSafeEqual } from 'node:crypto'
import { hmacKey } from './hmac-key.ts'

/** 128 bits: nobody guesses one, and a link stays short. */
const MAC_BYTES = 16
/** Far beyond what a link of ours holds; longer texts are not even decoded. */
const TEXT_LENGTH_MAX = 4096

function macOf(secret: Buffer, payload: Buffer): Buffer {
  return createHmac('sha256', hmacKey(secret)).update(payload).digest().subarray(0, MAC_BYTES)
}

/**
 * A text for links that says `payload` and that nobody else can make: base64url of the payload and an HMAC-SHA256 over it,
 * cut to 128 bits. The payload can be read by whoever has the link.
 */
export function signToken(secret: Buffer, payload: Buffer): string {
  return Buffer.concat([payload, macOf(secret, payload)]).toString('base64url')
}

/** What `signToken` was given; null for every other text, also for another spelling of a genuine one. */
export function readToken(secret: Buffer, text: string): Buffer | null {
  if (text.length > TEXT_LENGTH_MAX) return null
  const bytes = Buffer.from(text, 'base64url')
  // Decoding passes over foreign characters and spare bits: one character changed must be another token.
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return null
  const payload = bytes.subarray(0, -MAC_BYTES)
  return timingSafeEqual(bytes.subarray(-MAC_BYTES), macOf(secret, payload)) ? payload : null
}
