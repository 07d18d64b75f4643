import type { Notice } from '../../operations/classify/notice.ts'
import { readFeedbackFields } from './feedback-fields.ts'
import { findField } from './fields.ts'
import type { OpenedNotice } from './open-notice.ts'
import { describeReturned, findReturnedHeader, recipientOfReturned } from './returned.ts'

/** Services that forward the message that was complained about, without a report: Outlook.com's JMRP. */
const FORWARDED = /^(complaint about message from |\[?spam complaint)/i

/** The fields of a report whose part is called something else. */
const REPORT =
  /^\s*(?:(?:User-Agent|Version):[^\n]*\n){0,2}Feedback-Type:[^\n]*\n(?:User-Agent|Version|[A-Z][\w-]+):/i
const REPORT_CHARS_MAX = 2000

/** A feedback report, or null. */
export function readComplaint(opened: OpenedNotice): Notice | null {
  const part =
    opened.parts.find(({ type }) => type === 'message/feedback-report') ??
    opened.parts.find(
      ({ type, text }) => !type.startsWith('message/') && REPORT.test(text.slice(0, REPORT_CHARS_MAX)),
    )
  const header = findReturnedHeader(opened, null)
  if (part === undefined) {
    if (header === null || !FORWARDED.test(findField(opened.fields, 'subject') ?? '')) return null
    return complain('abuse', [], header)
  }
  const { feedback, recipients } = readFeedbackFields(part.text)
  return complain(feedback, recipients, header)
}

function complain(feedback: string, recipients: readonly string[], header: string | null): Notice {
  const other = recipients.length > 0 ? null : recipientOfReturned(header)
  return {
    kind: 'complaint',
    feedback,
    recipients: other === null ? recipients : [other],
    returned: describeReturned(header),
  }
}
