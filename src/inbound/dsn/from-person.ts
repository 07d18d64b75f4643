import { isAutoReply } from './auto-reply.ts'
import { findField } from './fields.ts'
import { isFromServer } from './from-server.ts'
import type { OpenedDsn } from './open-dsn.ts'
import { subjectOf } from './subject.ts'

/** Subject prefixes of replies and forwards, in many languages. */
const PASSED_ON =
  /^\s*\[?(?:re|aw|sv|antw|odp|rif|ynt|vá|vs|res|rv|bls|回复|答复|回覆|fwd?|wg|tr|enc|doorst|vl|továbbítás|pd|i|iletilen|转发|轉寄)\s*(?:\[\d+\])?\s?[:：]/iu
/** Header fields of mailing lists (RFC 2369, RFC 2919). */
const LIST_FIELDS = ['list-unsubscribe', 'list-id', 'list-post']
/** Header fields of DSNs, which mail programs for people never write. */
const REPORT_FIELDS = ['x-failed-recipients', 'x-mapi-message-class', 'x-ms-exchange-message-is-ndr']

/** Returns whether a person replied to or forwarded a message. Mail servers do neither, and their return path is empty. */
export function isPersonsAnswer(opened: OpenedDsn): boolean {
  return mayBeFromPerson(opened) && PASSED_ON.test(subjectOf(opened.fields))
}

/**
 * Returns whether a person or a newsletter wrote the message. Such a message reports no failure, even if it quotes one. A
 * DSN has an empty return path (RFC 3464 section 2), a mail system as author, or a field that marks it as automatic.
 */
export function isFromPerson(opened: OpenedDsn): boolean {
  if (!mayBeFromPerson(opened)) return false
  const { fields } = opened
  return (
    PASSED_ON.test(subjectOf(fields)) ||
    LIST_FIELDS.some((name) => findField(fields, name) !== null) ||
    (hasSender(opened) && (isFromMailProgram(opened) || quotesBelowWords(opened)))
  )
}

function mayBeFromPerson(opened: OpenedDsn): boolean {
  const { fields, parts } = opened
  if (isFromServer(opened) || isAutoReply(opened)) return false
  if (REPORT_FIELDS.some((name) => findField(fields, name) !== null)) return false
  if (parts.some(({ type }) => type.endsWith('delivery-status'))) return false
  return !/^<?>?$/.test(findField(fields, 'return-path') ?? 'none')
}

function hasSender({ fields }: OpenedDsn): boolean {
  return (findField(fields, 'return-path') ?? '').includes('@')
}

/**
 * Returns whether a mail program for people wrote the message. Replies name the original message (RFC 5322 section
 * 3.6.4) and the mail program.
 */
function isFromMailProgram({ fields }: OpenedDsn): boolean {
  const isAnswer = findField(fields, 'in-reply-to') !== null || findField(fields, 'references') !== null
  return isAnswer && (findField(fields, 'user-agent') ?? findField(fields, 'x-mailer')) !== null
}

/** Returns whether the writer's own words precede a quotation. */
function quotesBelowWords({ parts }: OpenedDsn): boolean {
  const text = parts.find(({ type }) => type === 'text/plain')?.text.slice(0, QUOTED_CHARS_MAX) ?? ''
  const [first] = text.trimStart().split('\n', 1)
  return first !== undefined && !first.startsWith('>') && /^> ?\S/m.test(text)
}

const QUOTED_CHARS_MAX = 16 * 1024
