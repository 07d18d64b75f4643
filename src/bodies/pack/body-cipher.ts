import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { constants as zlib, zstdCompressSync } from 'node:zlib'
import { joinInTurns } from '../../lib/octets.ts'
import { decompressFrame } from '../../mime/encoding.ts'

/** The purpose of the key that the keys of bodies are derived with. */
export const BODIES = 'bodies'
/** The length of the random key in an email's row. */
export const KEY_BYTES = 32
/**
 * A nonce must not repeat under one key (NIST SP 800-38D section 8). Each key encrypts one body: a body that is packed again
 * gets a new one.
 */
const NONCE = Buffer.alloc(12)
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'
/** See docs/adr/0053-bodies-in-packs.md for what it saves and costs. */
const LEVEL = 9
/**
 * The bytes to decrypt in one turn of the event loop: a few milliseconds, because the memory is newly
 * allocated.
 */
const TURN_BYTES = 2 * 1024 * 1024

/**
 * Derives the key of one body. Without the random key of its row, and without the installation's, nobody can.
 * @param master the key that was derived for `BODIES`
 */
export function deriveBodyKey(master: Buffer, rowKey: Buffer): Buffer {
  return createHmac('sha256', master).update(rowKey).digest()
}

/** Names the email of a body. A body that is read in the place of another does not open. */
export function bodyContext({ teamId, emailId }: { teamId: string; emailId: string }): string {
  return `body ${teamId} ${emailId}`
}

/**
 * Compresses a message and encrypts it: a zstd frame (RFC 8878) as AES-256-GCM, then the tag. Blocks for some milliseconds
 * a megabyte.
 */
export function sealBody(message: Buffer, key: Buffer, context: string, dictionary: Buffer | null): Buffer {
  const params = { [zlib.ZSTD_c_compressionLevel]: LEVEL }
  const frame = zstdCompressSync(message, dictionary === null ? { params } : { params, dictionary })
  const cipher = createCipheriv(CIPHER, key, NONCE)
  cipher.setAAD(Buffer.from(context))
  return Buffer.concat([cipher.update(frame), cipher.final(), cipher.getAuthTag()])
}

/** Returns the message of `sealBody`. Throws if a byte, the key, the context or the dictionary differs. */
export async function unsealBody(
  sealed: Buffer,
  key: Buffer,
  context: string,
  dictionary: Buffer | null,
): Promise<Buffer> {
  const tagAt = sealed.length - TAG_BYTES
  const decipher = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(tagAt))
  const pieces: Buffer[] = []
  for (let at = 0; at < tagAt; at += TURN_BYTES) {
    if (at > 0) await nextTurn()
    pieces.push(decipher.update(sealed.subarray(at, Math.min(at + TURN_BYTES, tagAt))))
  }
  pieces.push(decipher.final())
  return decompressFrame(await joinInTurns(pieces), dictionary === null ? {} : { dictionary })
}
