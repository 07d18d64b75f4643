import { createSecretKey, type KeyObject } from 'node:crypto'

const keys = new WeakMap<Buffer, KeyObject>()

/** A secret as a KeyObject makes an HMAC five times faster than its octets do; secrets are few and live long. */
export function hmacKey(secret: Buffer): KeyObject {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const key = createSecretKey(secret)
  keys.set(secret, key)
  return key
}
