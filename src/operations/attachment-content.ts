/** Strings of this length on are decoded where the body is read: for shorter ones that takes no time. */
const DECODED_CHARS_MIN = 64 * 1024
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** RFC 4648 section 4, padding optional, white space ignored. Returns null for anything else. */
export function decodeBase64(content: string): Buffer | null {
  const text = content.replace(/[ \t\r\n]+/g, '')
  if (!BASE64.test(text)) return null
  const digits = text.replace(/=+$/, '')
  if (digits.length % 4 === 1) return null
  if (text.length !== digits.length && text.length % 4 !== 0) return null
  return Buffer.from(digits, 'base64')
}

interface Holder {
  attachments?: unknown
}

/**
 * Puts the octets of large attachments into the place of their base64, in the form of a Buffer of Node.js, and returns
 * them. An event loop that must not stand still is spared copies of them. A text that cannot be decoded becomes a short
 * one with the same fault. Takes the body of one email or of a batch, in any shape.
 */
export function decodeAttachments(body: unknown): Uint8Array[] {
  const emails: unknown[] = Array.isArray(body) ? body : [body]
  const found: Uint8Array[] = []
  for (const email of emails) {
    const { attachments } = (email ?? {}) as Holder
    if (!Array.isArray(attachments)) continue
    for (const attachment of attachments as ({ content?: unknown } | null)[]) {
      if (typeof attachment !== 'object' || attachment === null) continue
      const octets = replaceContent(attachment)
      if (octets !== null) found.push(octets)
    }
  }
  return found
}

function replaceContent(attachment: { content?: unknown }): Uint8Array | null {
  const { content } = attachment
  if (typeof content === 'string') {
    if (content.length < DECODED_CHARS_MIN) return null
    const data = decodeBase64(content)
    attachment.content = data === null ? shortFault(content) : { type: 'Buffer', data }
    return data
  }
  const { data } = (content ?? {}) as { data?: unknown }
  return data instanceof Uint8Array ? data : null
}

/** Short texts that are refused for the same reason as the whole one. */
function shortFault(content: string): string {
  if (!content.isWellFormed()) return '\ud800'
  return content.includes('\u0000') ? '\u0000' : '*'
}
