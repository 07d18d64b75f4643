import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { deriveKey, seal, unseal } from '../../lib/crypto/seal.ts'

/** RFC 4226 section 4, R6: 160 bits are recommended. */
const SECRET_BYTES = 20
/** What every authenticator app takes; many ignore what else a link says (RFC 6238). */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** One step of 30 seconds before and after: clocks of telephones differ, and people type (RFC 6238 section 5.2). */
const WINDOW = 1
const ISSUER = 'Sendwright'

/** The key that secrets of authenticator apps are sealed with. */
export function deriveTotpKey(master: Buffer): Buffer {
  return deriveKey(master, 'totp')
}

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

export function sealTotpSecret(key: Buffer, userId: string, secret: Buffer): Buffer {
  return seal(key, secret, `totp ${userId}`)
}

/** Throws when it was sealed with another key, or for another user. */
export function openTotpSecret(key: Buffer, userId: string, sealed: Buffer): Buffer {
  return unseal(key, sealed, `totp ${userId}`)
}

/** As a person types it into an app (base32), and as a QR code says it. */
export function totpSecretToJson(secret: Buffer, email: string): { secret: string; uri: string } {
  const totp = new TOTP({ ...FORM, issuer: ISSUER, label: email, secret: secretOf(secret) })
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** The step of 30 seconds that the code belongs to; null: none of those that count at this moment. */
export function matchTotpStep(secret: Buffer, code: string, now: Date): number | null {
  const token = code.replaceAll(/[\s-]/g, '')
  if (!/^[0-9]{6}$/.test(token)) return null
  const timestamp = now.getTime()
  const delta = TOTP.validate({ ...FORM, token, secret: secretOf(secret), timestamp, window: WINDOW })
  return delta === null ? null : Math.floor(timestamp / 1000 / FORM.period) + delta
}

/** The library takes an ArrayBuffer; small Buffers are windows of a larger one. */
function secretOf(secret: Buffer): Secret {
  return new Secret({ buffer: Uint8Array.from(secret).buffer })
}
