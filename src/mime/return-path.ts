import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { hmacKey } from '../lib/crypto/hmac-key.ts'
import { decodeUuid, encodeUuid } from '../lib/ids.ts'

/** RFC 4648 section 6 in lower case. Some servers change the case of local parts, so case must not matter. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const TAG = /^[a-z2-7]{8}$/
const TOKEN = /^([a-z2-7]{8})([a-z2-7]{26})([a-z2-7]{2})[a-z2-7]{16}$/
const TAG_BYTES = 5
const MAC_BYTES = 10
/** Two base32 characters. */
const NO_MAX = 1023

const VALUES = new Map(Array.from(ALPHABET, (character, value) => [character, value]))

/** The delivery that a return path identifies. */
export interface ReturnPath {
  teamTag: string
  emailId: string
  /** The recipient's position in the email. */
  no: number
}

function encodeBase32(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[(held >>> bits) & 31]
    }
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + ALPHABET[(held << (5 - bits)) & 31] : text
}

function decodeBase32(text: string): Buffer {
  const bytes = Buffer.alloc(Math.floor((text.length * 5) / 8))
  let bits = 0
  let held = 0
  let at = 0
  for (const character of text) {
    held = (held << 5) | (VALUES.get(character) ?? 0)
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = held >>> bits
    held &= (1 << bits) - 1
  }
  return bytes
}

/** Returns a tag for a new team: 40 random bits as eight characters. The caller ensures that it is unique. */
export function newTeamTag(): string {
  return encodeBase32(randomBytes(TAG_BYTES))
}

/**
 * Returns the local part of a delivery's return path (VERP), 52 characters: tag 8, email 26, recipient 2, and an
 * HMAC-SHA256 over them truncated to 80 bits, 16. Only the owner of the secret can make one that `readReturnPath`
 * accepts.
 */
export function makeReturnPath(secret: Buffer, teamTag: string, emailId: string, no: number): string {
  if (!TAG.test(teamTag) || no < 0 || no > NO_MAX)
    throw new RangeError(
      'A return path needs a team tag of 8 characters and a recipient number from 0 to 1023.',
    )
  const id = encodeBase32(encodeUuid(emailId))
  const payload = `${teamTag}${id}${ALPHABET[no >> 5]}${ALPHABET[no & 31]}`
  const mac = createHmac('sha256', hmacKey(secret)).update(payload).digest()
  return payload + encodeBase32(mac.subarray(0, MAC_BYTES))
}

/** Returns the delivery that a return path identifies, or null for a foreign or altered one. Ignores case. */
export function readReturnPath(secret: Buffer, localPart: string): ReturnPath | null {
  const token = localPart.length === 52 ? localPart.toLowerCase() : ''
  const parts = TOKEN.exec(token)
  if (parts === null) return null
  const [, teamTag, id, place] = parts as unknown as [string, string, string, string]
  const emailId = decodeUuid(decodeBase32(id))
  const no = (VALUES.get(place[0] as string) as number) * 32 + (VALUES.get(place[1] as string) as number)
  const genuine = makeReturnPath(secret, teamTag, emailId, no)
  return timingSafeEqual(Buffer.from(genuine), Buffer.from(token)) ? { teamTag, emailId, no } : null
}
