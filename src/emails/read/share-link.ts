import { readToken, signToken } from '../../lib/crypto/signed-token.ts'
import { decodeUuid, encodeUuid, UUID_BYTES } from '../../lib/ids.ts'

/** The target of a public link, and when it expires. */
export interface ShareLink {
  teamId: string
  emailId: string
  /** The index of an attachment, or null for the email itself. */
  attachment: number | null
  expiresAt: Date
}

const VERSION = 1
/** Stands in the place of the index of an attachment. */
const WHOLE_EMAIL = 0xffff
const NUMBERS_BYTES = 8

/** Returns the public link itself. */
export function shareUrl({ publicUrl }: { publicUrl: string }, key: Buffer, link: ShareLink): string {
  return `${publicUrl}/shared/${makeShareToken(key, link)}`
}

/** Returns the token of a link. It contains everything that the link needs, so nothing is stored. */
function makeShareToken(key: Buffer, { teamId, emailId, attachment, expiresAt }: ShareLink): string {
  const numbers = Buffer.alloc(NUMBERS_BYTES)
  numbers.writeUInt16BE(attachment ?? WHOLE_EMAIL, 0)
  numbers.writeUIntBE(Math.ceil(expiresAt.getTime() / 1_000), 2, 6)
  return signToken(key, Buffer.concat([Buffer.of(VERSION), encodeUuid(teamId), encodeUuid(emailId), numbers]))
}

/** Returns the content of a token, expired or not; null if it was not made with this key. */
export function readShareToken(key: Buffer, token: string): ShareLink | null {
  const payload = readToken(key, token)
  const numbersAt = 1 + 2 * UUID_BYTES
  if (payload === null || payload[0] !== VERSION || payload.length !== numbersAt + NUMBERS_BYTES) return null
  const attachment = payload.readUInt16BE(numbersAt)
  return {
    teamId: decodeUuid(payload.subarray(1)),
    emailId: decodeUuid(payload.subarray(1 + UUID_BYTES)),
    attachment: attachment === WHOLE_EMAIL ? null : attachment,
    expiresAt: new Date(payload.readUIntBE(numbersAt + 2, 6) * 1_000),
  }
}
