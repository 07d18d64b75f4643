import { formatDate } from '../build.ts'

/** The Date field (RFC 5322 section 3.6.1) in the form that `buildMessage` writes, always of the same length. */
const FIELD = /\r\nDate: [^\r\n]*\r\n/

/** Returns the message with another Date, for an email that was rescheduled. The given bytes stay unchanged. */
export function redate(message: Buffer, date: Date): Buffer {
  const headerEnd = message.indexOf('\r\n\r\n')
  const header = message.subarray(0, headerEnd + 2).toString('latin1')
  const changed = header.startsWith('Date: ')
    ? header.replace(/^Date: [^\r\n]*/, `Date: ${formatDate(date)}`)
    : header.replace(FIELD, `\r\nDate: ${formatDate(date)}\r\n`)
  return Buffer.concat([Buffer.from(changed, 'latin1'), message.subarray(headerEnd + 2)])
}
