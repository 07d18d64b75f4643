/**
 * The TLS demand of one message's sender: `waived` by `TLS-Required: No` (RFC 8689 section 5), `required` on every hop
 * to the mailbox (section 4) by `X-Sendwright-Require-TLS: yes`, or null if neither does.
 */
export type SenderWish = 'waived' | 'required' | null

const WAIVED = /(?:^|\r\n)TLS-Required:[ \t]*(?:\r\n[ \t]+)?No[ \t]*(?=\r\n|$)/i
const REQUIRED = /(?:^|\r\n)X-Sendwright-Require-TLS:[ \t]*(?:\r\n[ \t]+)?(?:yes|true)[ \t]*(?=\r\n|$)/i

/** @param header the message header, up to the empty line. If both fields are present, the stricter one counts. */
export function readSenderWish(header: Buffer): SenderWish {
  const text = header.toString('latin1')
  if (REQUIRED.test(text)) return 'required'
  return WAIVED.test(text) ? 'waived' : null
}
