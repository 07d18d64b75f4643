import { decodeSubject } from '../../mime/raw/raw-mailbox.ts'
import { type Fields, findField } from './fields.ts'

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Returns the decoded Subject (RFC 2047, or raw UTF-8 by RFC 6532). Returns an empty string if there is none. */
export function subjectOf(fields: Fields): string {
  const value = findField(fields, 'subject') ?? ''
  return decodeSubject(/[\u0080-\u00ff]/.test(value) ? fromOctets(value) : value)
}

/** Decodes header text with one octet per character. Text that is not UTF-8 stays unchanged. */
function fromOctets(value: string): string {
  try {
    return UTF8.decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}
