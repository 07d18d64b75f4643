import { isIPv4, isIPv6 } from 'node:net'

/** An IPv4-mapped address (RFC 4291 section 2.5.5.2) with its last 32 bits in hexadecimal groups (RFC 5952). */
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/**
 * Returns the canonical form of an IP address: IPv6 by RFC 5952 without a zone, and IPv4-mapped IPv6 as IPv4. Returns null
 * when the text is not an address.
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
