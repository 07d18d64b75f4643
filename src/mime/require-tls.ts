/**
 * The header field by which a sender requires TLS at every hop (REQUIRETLS, RFC 8689; docs/deliverability.md). It is
 * stored with the message, where delivery reads it, and is not sent.
 */
export const REQUIRE_TLS = 'x-sendwright-require-tls'

const HEADER_END = Buffer.from('\r\n\r\n')
const NAME = /x-sendwright-require-tls:/i
const FIELD = /(?:^|(?<=\r\n))x-sendwright-require-tls:[^\r]*\r\n(?:[ \t][^\r]*\r\n)*/gi

/** Reads the value of the field. Returns null for an unknown value: a guess could send mail without TLS. */
export function readRequireTls(value: string): boolean | null {
  if (/^(?:yes|true)$/i.test(value)) return true
  return /^(?:no|false)$/i.test(value) ? false : null
}

/** Returns the pieces of a finished message to send, without that field. Copies nothing. */
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
