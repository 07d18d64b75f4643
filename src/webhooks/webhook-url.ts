import { isIP } from 'node:net'
import type { Guard } from '../lib/net/egress-guard.ts'

const LENGTH_MAX = 2000
/** URL silently drops these characters, so it would parse a different URL than the checked one. */
const BLANK = /[\s\p{Cc}]/u

/**
 * Returns the reason to reject a URL as the end of a sentence about its field, or null if it is valid. Addresses of a
 * name are checked at every connection; only certain errors are rejected here.
 */
export function refuseWebhookUrl(text: string, guard: Guard, allowPrivate: boolean): string | null {
  if (text.length > LENGTH_MAX) return `must not be longer than ${LENGTH_MAX} characters`
  if (BLANK.test(text) || !URL.canParse(text)) return 'must be a valid URL'
  const url = new URL(text)
  // Events contain people's addresses, so they must be encrypted on the Internet.
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowPrivate)) return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  if (text.includes('#')) return 'must not have a fragment'
  return refuseHost(url.hostname, guard, allowPrivate)
}

/** `URL` has already normalized 127.1, 0x7f.1 and 2130706433 to addresses. */
function refuseHost(hostname: string, guard: Guard, allowPrivate: boolean): string | null {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) {
    const reason = guard.refuse(host)
    return reason === null ? null : `must not lead to a ${reason}`
  }
  // RFC 6761 section 6.3: these names always mean this host.
  const isHere = /(^|\.)localhost\.?$/.test(host)
  return isHere && !allowPrivate ? 'must not lead to a loopback address' : null
}
