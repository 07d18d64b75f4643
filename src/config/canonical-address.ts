import { isIPv4, isIPv6 } from 'node:net'

/** RFC 4291 section 2.5.5.2, as RFC 5952 writes the last 32 bits of other addresses. */
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/**
 * Returns the one form of an IP address that equal addresses share: IPv6 by RFC 5952, IPv4-mapped IPv6 as IPv4, without
 * a zone. Null: the text is no address.
 */
export function canonicalAddress(text: string): string | null {
  if (isIPv4(text)) return text
  const plain = text.split('%', 1)[0] ?? ''
  if (!isIPv6(plain)) return null
  const short = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [, high, low] = MAPPED.exec(short) ?? []
  if (high === undefined || low === undefined) return short
  const bits = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return bits.flatMap((part) => [part >> 8, part & 0xff]).join('.')
}
