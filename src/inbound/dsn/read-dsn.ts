import type { Dsn } from '../../classification/dsn.ts'
import { isAutoReply } from './auto-reply.ts'
import { readDeliveryStatus, readFailureText } from './delivery-status.ts'
import { readFeedbackFields } from './feedback-fields.ts'
import { findField } from './fields.ts'
import { isFromServer } from './from-server.ts'
import { type OpenedDsn, openDsn } from './open-dsn.ts'
import { readProviderEvent } from './provider-event.ts'
import { describeReturned, findReturnedHeader, recipientOfReturned } from './returned.ts'
import { subjectOf } from './subject.ts'

/** Subject prefixes of replies and forwards, in many languages. */
const PASSED_ON =
  /^\s*\[?(?:re|aw|sv|antw|odp|rif|ynt|vá|vs|res|rv|bls|回复|答复|回覆|fwd?|wg|tr|enc|doorst|vl|továbbítás|pd|i|iletilen|转发|轉寄)\s*(?:\[\d+\])?\s?[:：]/iu
/** Header fields of mailing lists (RFC 2369, RFC 2919). */
const LIST_FIELDS = ['list-unsubscribe', 'list-id', 'list-post']
/** Header fields of DSNs, which mail programs for people never write. */
const REPORT_FIELDS = ['x-failed-recipients', 'x-mapi-message-class', 'x-ms-exchange-message-is-ndr']

const QUOTED_CHARS_MAX = 16 * 1024

/** Services that forward the message of a complaint without a report: Outlook.com's JMRP. */
const FORWARDED = /^(complaint about message from |\[?spam complaint)/i

/** Matches an abuse desk that reports an attached message in prose, without report fields. */
const COMPLAINS =
  /\b(?:complain\w*|report(?:s|ed|ing)?|mark(?:s|ed)|flag(?:s|ged)|consider(?:s|ed)|received)\b.{0,160}?\b(?:spam|unsolicited|junk|abus\w+|u[cb]e|unwanted|complain\w*)\b|\b(?:spam|abuse|junk)[- ](?:complaint|report|notification|notice)/i
const NAMES_COMPLAINT = /\b(?:abuse|spam|complain\w*|unsolicited|junk|fbl|feedback loop)\b/i
const NAMES_REJECTION =
  /reject|refus|block|not? deliver|undeliver|return|fail|bounce|quarantin|could not|unable|\bdelivery\b/i
const WORDS_CHARS_MAX = 2000

/** The fields of a report in a part of another type. */
const REPORT =
  /^\s*(?:(?:User-Agent|Version):[^\n]*\n){0,2}Feedback-Type:[^\n]*\n(?:User-Agent|Version|[A-Z][\w-]+):/i
const REPORT_CHARS_MAX = 2000

/**
 * Reads a returned message: DSNs (RFC 3464, and those written as text), feedback reports (RFC 5965), automatic
 * replies (RFC 3834). Never throws. Examines the first megabyte and takes far less than a second for any input. The
 * result is unproven: a DSN is as easy to forge as other mail.
 */
export function readDsn(message: Buffer): Dsn {
  return readOpenedDsn(openDsn(message))
}

/** The second half of `readDsn`. A server takes a turn of the event loop for each. */
export function readOpenedDsn(opened: OpenedDsn): Dsn {
  const dsn =
    readComplaint(opened) ??
    (isPersonsAnswer(opened) ? null : readProviderEvent(opened)) ??
    (isFromPerson(opened) ? null : (readDeliveryStatus(opened) ?? readFailureText(opened)))
  if (dsn !== null) return dsn
  return isAutoReply(opened) ? { kind: 'auto_reply' } : { kind: 'unknown' }
}

/** Returns a feedback report, or null. */
function readComplaint(opened: OpenedDsn): Dsn | null {
  const part =
    opened.parts.find(({ type }) => type === 'message/feedback-report') ??
    opened.parts.find(
      ({ type, text }) => !type.startsWith('message/') && REPORT.test(text.slice(0, REPORT_CHARS_MAX)),
    )
  const header = findReturnedHeader(opened, null)
  if (part === undefined) {
    if (header === null || !isComplaintInWords(opened)) return null
    return complain('abuse', [], header)
  }
  const { feedback, recipients } = readFeedbackFields(part.text)
  return complain(feedback, recipients, header)
}

/**
 * Returns whether the text is a complaint. Filters that reject a message as spam, and human subjects about spam, are
 * none.
 */
function isComplaintInWords({ fields, parts }: OpenedDsn): boolean {
  const subject = subjectOf(fields)
  if (FORWARDED.test(subject)) return true
  if (!NAMES_COMPLAINT.test(subject) || NAMES_REJECTION.test(subject)) return false
  const words = parts.find(({ type }) => type === 'text/plain')?.text.slice(0, WORDS_CHARS_MAX) ?? ''
  return COMPLAINS.test(words.replace(/\s+/g, ' ')) && !/\b[45]\d\d[ -]|not (?:be )?deliver/i.test(words)
}

function complain(feedback: string, recipients: readonly string[], header: string | null): Dsn {
  const other = recipients.length > 0 ? null : recipientOfReturned(header)
  return {
    kind: 'complaint',
    feedback,
    recipients: other === null ? recipients : [other],
    returned: describeReturned(header),
  }
}

/** Returns whether a person replied to or forwarded a message. Mail servers do neither, and their return path is empty. */
function isPersonsAnswer(opened: OpenedDsn): boolean {
  return mayBeFromPerson(opened) && PASSED_ON.test(subjectOf(opened.fields))
}

/**
 * Returns whether a person or a newsletter wrote the message. Such a message reports no failure, even if it quotes one. A
 * DSN has an empty return path (RFC 3464 section 2), a mail system as author, or a field that marks it as automatic.
 */
function isFromPerson(opened: OpenedDsn): boolean {
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
