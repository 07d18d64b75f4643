import { findHeaderEnd, firstValue, type HeaderField, readFields } from '../mime/raw/raw-header.ts'

/**
 * Whether a program wrote a message in answer to another, so that nobody asks for anything by it (RFC 3834 section 2;
 * the older marks are those of vacation programs that do not know it). A mail program that unsubscribes for its user
 * may call its message generated: that is no answer.
 */
export function isAutomaticAnswer(sender: string, message: Buffer): boolean {
  if (sender === '') return true
  const fields: HeaderField[] = []
  const end = findHeaderEnd(message, 0)
  if (end > 0) readFields(message, 0, end, fields)
  const said = (name: string) => firstValue(message, fields, name)?.toLowerCase() ?? null
  return (
    said('auto-submitted')?.startsWith('auto-replied') === true ||
    said('precedence') === 'auto_reply' ||
    said('x-autoreply') !== null ||
    said('x-autorespond') !== null ||
    said('x-auto-response-suppress') !== null ||
    said('x-failed-recipients') !== null
  )
}
