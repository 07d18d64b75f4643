import { makeReturnPath, type ReturnPath, readReturnPath } from './return-path.ts'

/** Distinguishes these addresses from return paths. With the token, it takes 58 of the 64 octets of a local part. */
const PREFIX = 'unsub-'

/**
 * Returns the address for the mailto of List-Unsubscribe (RFC 2369 section 3.2). Mail to it unsubscribes one recipient.
 * Has the form of a return path but a different key, so that neither can be derived from the other.
 * @param host the host of return paths
 */
export function makeUnsubscribeAddress(
  key: Buffer,
  host: string,
  { teamTag, emailId, no }: ReturnPath,
): string {
  return `${PREFIX}${makeReturnPath(key, teamTag, emailId, no)}@${host}`
}

/** Returns the recipient that an address identifies, in any letter case, or null for a foreign or altered address. */
export function readUnsubscribeAddress(key: Buffer, localPart: string): ReturnPath | null {
  if (localPart.slice(0, PREFIX.length).toLowerCase() !== PREFIX) return null
  return readReturnPath(key, localPart.slice(PREFIX.length))
}
