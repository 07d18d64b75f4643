import { makeReturnPath, type ReturnPath, readReturnPath } from './return-path.ts'

/** Tells these addresses from return paths; with the token 58 characters of the 64 that a local part may have. */
const PREFIX = 'unsub-'

/**
 * The address that a mailto of List-Unsubscribe (RFC 2369 section 3.2) names: mail to it unsubscribes one recipient. In
 * the form of a return path, but `key` is another one: neither can be made from the other.
 * @param host of return paths
 */
export function makeUnsubscribeAddress(
  key: Buffer,
  host: string,
  { teamTag, emailId, no }: ReturnPath,
): string {
  return `${PREFIX}${makeReturnPath(key, teamTag, emailId, no)}@${host}`
}

/** The recipient that an address was made for, in any case of letters; null when it is none of ours or was changed. */
export function readUnsubscribeAddress(key: Buffer, localPart: string): ReturnPath | null {
  if (localPart.slice(0, PREFIX.length).toLowerCase() !== PREFIX) return null
  return readReturnPath(key, localPart.slice(PREFIX.length))
}
