import { decodeSubject } from '../../mime/raw/raw-mailbox.ts'
import { type Fields, findField } from './fields.ts'

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** What the Subject says, decoded (RFC 2047; RFC 6532 where it has UTF-8 as it is); empty where there is none. */
export function subjectOf(fields: Fields): string {
  const value = findField(fields, 'subject') ?? ''
  return decodeSubject(/[\u0080-\u00ff]/.test(value) ? fromOctets(value) : value)
}

/** Header text holds an octet in each character; what is no UTF-8 is left so. */
function fromOctets(value: string): string {
  try {
    return UTF8.decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}
