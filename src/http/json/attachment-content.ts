/** The thread that parses the body decodes strings of at least this length. Shorter ones take negligible time. */
const DECODED_CHARS_MIN = 64 * 1024
/** RFC 5545 section 3.4. The colon keeps it from being base64. */
const CALENDAR = /^\ufeff?\s{0,10}BEGIN:VCALENDAR/i
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Decodes base64 (RFC 4648 section 4) with optional padding, ignoring white space. Returns null for anything else. */
function decodeBase64(content: string): Buffer | null {
  const text = content.replace(/[ \t\r\n]+/g, '')
  if (!BASE64.test(text)) return null
  const digits = text.replace(/=+$/, '')
  if (digits.length % 4 === 1) return null
  if (text.length !== digits.length && text.length % 4 !== 0) return null
  return Buffer.from(digits, 'base64')
}

/** Returns the octets of an attachment given as text: base64, or a calendar, which people often send as it is. */
export function decodeContent(content: string): Buffer | null {
  const isText = CALENDAR.test(content) && content.isWellFormed() && !content.includes('\0')
  return isText ? Buffer.from(content) : decodeBase64(content)
}

interface Holder {
  attachments?: unknown
}

/**
 * Replaces the base64 of large attachments with their octets, in the form of a Node.js Buffer, and returns the octets.
 * The event loop then neither decodes nor copies them. Replaces invalid base64 with a short text with the same fault.
 * Accepts the body of one email or of a batch, of any shape.
 */
export function decodeAttachments(body: unknown): Uint8Array[] {
  const emails: unknown[] = Array.isArray(body) ? body : [body]
  const contents: Uint8Array[] = []
  for (const email of emails) {
    const { attachments } = (email ?? {}) as Holder
    if (!Array.isArray(attachments)) continue
    for (const attachment of attachments as ({ content?: unknown } | null)[]) {
      if (typeof attachment !== 'object' || attachment === null) continue
      const octets = replaceContent(attachment)
      if (octets !== null) contents.push(octets)
    }
  }
  return contents
}

function replaceContent(attachment: { content?: unknown }): Uint8Array | null {
  const { content } = attachment
  if (typeof content === 'string') {
    if (content.length < DECODED_CHARS_MIN) return null
    const data = decodeContent(content)
    attachment.content = data === null ? shortFault(content) : { type: 'Buffer', data }
    return data
  }
  const { data } = (content ?? {}) as { data?: unknown }
  return data instanceof Uint8Array ? data : null
}

/** Returns a short text that fails validation for the same reason as the long one. */
function shortFault(content: string): string {
  if (!content.isWellFormed()) return '\ud800'
  return content.includes('\u0000') ? '\u0000' : '*'
}
