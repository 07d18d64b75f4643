/**
 * The field with which a sender requires TLS on the whole way of a message (RFC 8689 section 4;
 * docs/deliverability.md). It is stored with the message, where delivery reads it, and is not sent.
 */
export const REQUIRE_TLS = 'x-sendwright-require-tls'

const HEADER_END = Buffer.from('\r\n\r\n')
const NAME = /x-sendwright-require-tls:/i
const FIELD = /(?:^|(?<=\r\n))x-sendwright-require-tls:[^\r]*\r\n(?:[ \t][^\r]*\r\n)*/gi

/** Returns null for any other value; a misunderstood demand would be mail without its protection. */
export function readRequireTls(value: string): boolean | null {
  if (/^(?:yes|true)$/i.test(value)) return true
  return /^(?:no|false)$/i.test(value) ? false : null
}

/** Returns the pieces of a finished message for the wire, without that field. Nothing is copied. */
export function withoutRequireTls(message: Buffer): Buffer[] {
  const gap = message.indexOf(HEADER_END)
  const header = message.toString('latin1', 0, gap < 0 ? message.length : gap + 2)
  if (!NAME.test(header)) return [message]
  const pieces: Buffer[] = []
  let at = 0
  for (const { 0: field, index } of header.matchAll(FIELD)) {
    if (index > at) pieces.push(message.subarray(at, index))
    at = index + field.length
  }
  pieces.push(message.subarray(at))
  return pieces
}
