import type { Dsn } from '../../classification/dsn.ts'
import { readFeedbackFields } from './feedback-fields.ts'
import type { OpenedDsn } from './open-dsn.ts'
import { describeReturned, findReturnedHeader, recipientOfReturned } from './returned.ts'
import { subjectOf } from './subject.ts'

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

/** Returns a feedback report, or null. */
export function readComplaint(opened: OpenedDsn): Dsn | null {
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
