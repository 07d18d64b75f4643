import { findHeaderEnd, firstValue, type HeaderField, readFields } from '../mime/raw/raw-header.ts'

/**
 * Returns whether a program sent a message in reply to another, so that it is not a request (RFC 3834 section 2, and
 * the older marks of vacation programs that do not support it). A mail client that unsubscribes for its user may mark
 * its message as generated, which is not a reply.
 */
export function isAutomaticAnswer(sender: string, message: Buffer): boolean {
  if (sender === '') return true
  const fields: HeaderField[] = []
  const end = findHeaderEnd(message, 0)
  if (end > 0) readFields(message, 0, end, fields)
  const fieldOf = (name: string) => firstValue(message, fields, name)?.toLowerCase() ?? null
  return (
    fieldOf('auto-submitted')?.startsWith('auto-replied') === true ||
    fieldOf('precedence') === 'auto_reply' ||
    fieldOf('x-autoreply') !== null ||
    fieldOf('x-autorespond') !== null ||
    fieldOf('x-auto-response-suppress') !== null ||
    fieldOf('x-failed-recipients') !== null
  )
}
