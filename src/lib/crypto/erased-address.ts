import { createHmac, randomBytes } from 'node:crypto'
import { hmacKey } from './hmac-key.ts'
import { deriveKey } from './seal.ts'

/** Nobody ever gets mail there (RFC 6761 section 6.4). */
export const ERASED_DOMAIN = 'erased.invalid'

/** Of HMAC-SHA256: 128 bits, in hexadecimal digits. */
const HASH_DIGITS = 32
const PSEUDONYM_BYTES = 8

/**
 * What stands for an address that is not kept itself: whoever has the address and this installation's secret finds it again,
 * and nobody else can tell whose it is, or that two teams mean the same. Written as an address, so that it fits wherever one
 * stood.
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

/** Stands for one person in what is kept of emails, so that counts stay; made by chance, it leads back to nobody. */
export function makePseudonym(): string {
  return `erased-${randomBytes(PSEUDONYM_BYTES).toString('hex')}@${ERASED_DOMAIN}`
}
