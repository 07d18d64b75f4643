import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { hmacKey } from '../../lib/crypto/hmac-key.ts'
import { deriveKey } from '../../lib/crypto/seal.ts'

/** How long a person has to answer. */
export const CHALLENGE_MS = 5 * 60_000
const RANDOM_BYTES = 16
const TIME_BYTES = 6
const MAC_BYTES = 32

/** The purpose and the user of a challenge. An answer is valid only for the same subject. */
export interface ChallengeSubject {
  purpose: 'registration' | 'login' | 'second factor'
  /** The user's id, or the id of the pending login. */
  id: string
}

export interface Challenge {
  /** Identifies a spent challenge. */
  hash: Buffer
  expiresAt: Date
}

/** Derives the key that signs challenges. */
export function deriveChallengeKey(master: Buffer): Buffer {
  return deriveKey(master, 'passkey challenges')
}

/**
 * Returns a challenge (WebAuthn level 3, section 13.4.3) that contains its expiry, is bound to its subject, and
 * cannot be forged. Nothing is stored for requests that are never answered. Spent challenges are stored until they
 * expire (accounts/second-factor/spent-challenges-queries.ts).
 */
export function newChallenge(key: Buffer, subject: ChallengeSubject, now: Date): Buffer {
  const head = Buffer.alloc(RANDOM_BYTES + TIME_BYTES)
  randomBytes(RANDOM_BYTES).copy(head)
  head.writeUIntBE(now.getTime() + CHALLENGE_MS, RANDOM_BYTES, TIME_BYTES)
  return Buffer.concat([head, macOf(key, subject, head)])
}

/** Verifies a challenge. Returns null if it is forged, has another subject or has expired. */
export function readChallenge(
  key: Buffer,
  subject: ChallengeSubject,
  text: string,
  now: Date,
): Challenge | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== RANDOM_BYTES + TIME_BYTES + MAC_BYTES) return null
  const head = bytes.subarray(0, RANDOM_BYTES + TIME_BYTES)
  if (!timingSafeEqual(bytes.subarray(head.length), macOf(key, subject, head))) return null
  const expiresAt = new Date(head.readUIntBE(RANDOM_BYTES, TIME_BYTES))
  if (expiresAt.getTime() <= now.getTime()) return null
  return { hash: createHash('sha256').update(bytes).digest(), expiresAt }
}

function macOf(key: Buffer, { purpose, id }: ChallengeSubject, head: Buffer): Buffer {
  return createHmac('sha256', hmacKey(key)).update(`${purpose} ${id} `).update(head).digest()
}
