import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import { invalidField } from '../lib/api-error.ts'

/** The prefix of a domain's name in the longest record to publish (domains/domain-records.ts). */
const RECORD_PREFIX_LENGTH = 'sw-00000000-rsa._domainkey.'.length
/** The limit of a DNS name: 255 octets on the wire are 253 characters (RFC 1035 section 2.3.4). */
const NAME_LENGTH_MAX = 253
/** U-labels are at most a little longer than their A-labels. Anything longer is not worth converting. */
const INPUT_LENGTH_MAX = 1000
/** Characters that a URL parser would cut off, decode or skip in a host name instead of rejecting it. */
const NOT_IN_A_NAME = /[\p{Cc}\p{Z}%/\\#?:@[\]|<>^`{}"]/u
const LDH_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Returns the name as A-label in lower case, or null if it is not a host name with a dot (RFC 1123 section 2.1). */
export function readDomainName(text: string): string | null {
  if (text.length > INPUT_LENGTH_MAX || NOT_IN_A_NAME.test(text)) return null
  const name = domainToASCII(text)
  if (name.length > NAME_LENGTH_MAX || isIP(name) !== 0) return null
  const labels = name.split('.')
  if (labels.length < 2 || !labels.every((label) => LDH_LABEL.test(label))) return null
  // A numeric top-level label could make the name an IP address in some notation (RFC 3696 section 2).
  return /^\d+$/.test(labels.at(-1) as string) ? null : name
}

/**
 * Returns the name of a domain that a team may add. It must not be a public suffix (co.uk, github.io), and short
 * enough for its DKIM records. Throws an ApiError that names the field `name`.
 */
export function requireDomainName(text: string): string {
  const name = readDomainName(text)
  if (name === null) throw invalidField('name', 'The name field must be a valid domain name.')
  if (parse(name, { allowPrivateDomains: true }).domain === null) {
    throw invalidField('name', 'The name field must not be a public suffix.')
  }
  const lengthMax = NAME_LENGTH_MAX - RECORD_PREFIX_LENGTH
  if (name.length > lengthMax) {
    throw invalidField('name', `The name field must not be greater than ${lengthMax} characters.`)
  }
  return name
}
