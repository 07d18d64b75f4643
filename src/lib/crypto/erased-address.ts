import { createHmac, randomBytes } from 'node:crypto'
import { hmacKey } from './hmac-key.ts'
import { deriveKey } from './seal.ts'

/** A domain that never receives mail (RFC 6761 section 6.4). */
export const ERASED_DOMAIN = 'erased.invalid'

/** The kept part of the HMAC-SHA256: 128 bits, in hexadecimal digits. */
const HASH_DIGITS = 32
const PSEUDONYM_BYTES = 8

/**
 * Returns the replacement for an address that is not stored itself. It can be found only with the address and this
 * installation's secret; otherwise it reveals neither the address nor that two teams share it. It has the form of an
 * address, so that it fits wherever one is stored.
 * @param addressKey suppressionKey of the address
 */
export type HashAddress = (teamId: string, addressKey: string) => string

export function createHashAddress(secret: Buffer): HashAddress {
  const key = deriveKey(secret, 'hashes of erased addresses')
  return (teamId, addressKey) => {
    const mac = createHmac('sha256', hmacKey(key)).update(`${teamId}\n${addressKey}`).digest('hex')
    return `hash-${mac.slice(0, HASH_DIGITS)}@${ERASED_DOMAIN}`
  }
}

/** Returns a random replacement for one person in stored emails, so that counts remain; it cannot be traced back. */
export function makePseudonym(): string {
  return `erased-${randomBytes(PSEUDONYM_BYTES).toString('hex')}@${ERASED_DOMAIN}`
}
