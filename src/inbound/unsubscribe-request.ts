import type { Queryable } from '../db/db-types.ts'
import { findRecipientKey, type ReportedKey } from '../emails/rows/reported-deliveries-queries.ts'
import { readAddressKey } from '../mime/address.ts'
import { findHeaderEnd, firstValue, type HeaderField, readFields } from '../mime/raw/raw-header.ts'
import { isAutomaticSubject } from './dsn/auto-reply.ts'
import type { OpenedDsn } from './dsn/open-dsn.ts'
import { subjectOf } from './dsn/subject.ts'

/** The subject of our mailto link. Some mail clients write it in the body instead. */
const REQUEST = /^\s*unsubscribe\s*$/i

/**
 * Returns whether a message to the unsubscribe address of a recipient asks to unsubscribe. Not every vacation program
 * marks its answers. Without the subject or the body of our link, only a message from the recipient counts, unless its
 * subject is one of a vacation program.
 */
export async function isUnsubscribeRequest(
  db: Queryable,
  key: ReportedKey,
  sender: string,
  message: Buffer,
  { fields, parts }: OpenedDsn,
): Promise<boolean> {
  if (isAutomaticAnswer(sender, message)) return false
  const subject = subjectOf(fields)
  if (isAutomaticSubject(subject)) return false
  const text = parts.find(({ type }) => type === 'text/plain')?.text ?? ''
  if (REQUEST.test(subject) || REQUEST.test(text)) return true
  const from = readAddressKey(sender)
  return from !== null && from === (await findRecipientKey(db, key))
}

/**
 * Returns whether a program sent a message in reply to another, so that it is not a request (RFC 3834 section 2, and
 * the older marks of vacation programs that do not support it). A mail client that unsubscribes for its user may mark
 * its message as generated, which is not a reply.
 */
function isAutomaticAnswer(sender: string, message: Buffer): boolean {
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
