import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { deriveKey, seal, unseal } from '../../lib/crypto/seal.ts'

/** RFC 4226 section 4, R6 recommends 160 bits. */
const SECRET_BYTES = 20
/** Every authenticator app supports these; many ignore other values in a link (RFC 6238). */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Accepts one step of 30 seconds before and after, for clock differences and typing time (RFC 6238 section 5.2). */
const WINDOW = 1
const ISSUER = 'Sendwright'

/** Derives the key that seals secrets of authenticator apps. */
export function deriveTotpKey(master: Buffer): Buffer {
  return deriveKey(master, 'totp')
}

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

export function sealTotpSecret(key: Buffer, userId: string, secret: Buffer): Buffer {
  return seal(key, secret, `totp ${userId}`)
}

/** Throws if the secret was sealed with another key or for another user. */
export function openTotpSecret(key: Buffer, userId: string, sealedSecret: Buffer): Buffer {
  return unseal(key, sealedSecret, `totp ${userId}`)
}

/** Returns the secret in base32, for typing into an app, and as the URI of a QR code. */
export function totpSecretToJson(secret: Buffer, email: string): { secret: string; uri: string } {
  const totp = new TOTP({ ...FORM, issuer: ISSUER, label: email, secret: secretOf(secret) })
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** Returns the 30-second step of a code, or null if the code is not valid now. */
export function matchTotpStep(secret: Buffer, code: string, now: Date): number | null {
  const token = code.replaceAll(/[\s-]/g, '')
  if (!/^[0-9]{6}$/.test(token)) return null
  const timestamp = now.getTime()
  const delta = TOTP.validate({ ...FORM, token, secret: secretOf(secret), timestamp, window: WINDOW })
  return delta === null ? null : Math.floor(timestamp / 1000 / FORM.period) + delta
}

/** The library takes an ArrayBuffer. A small Buffer is a view of a larger one. */
function secretOf(secret: Buffer): Secret {
  return new Secret({ buffer: Uint8Array.from(secret).buffer })
}
