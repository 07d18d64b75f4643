import { findHeaderEnd, firstValue, type HeaderField, readFields } from '../mime/raw/raw-header.ts'

/**
 * Returns whether a program sent a message in reply to another, so that it requests nothing (RFC 3834 section 2; older
 * marks are those of vacation programs that do not support it). A mail client that unsubscribes for its user may mark
 * its message as generated: that is not a reply.
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
