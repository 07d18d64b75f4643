import type { Notice } from '../../operations/classify/notice.ts'
import { readFeedbackFields } from './feedback-fields.ts'
import { findField } from './fields.ts'
import { judgeClaim } from './judge-claim.ts'
import { type OpenedNotice, openNotice } from './open-notice.ts'
import { describeReturned, findReturnedHeader, recipientOfReturned } from './returned.ts'
import { hasStatusFields, readStatusFields } from './status-fields.ts'

const STATUS_TYPES = new Set(['message/delivery-status', 'message/global-delivery-status'])

/**
 * Reads a message that came back: delivery status notifications (RFC 3464, and those written as text), feedback reports
 * (RFC 5965), automatic replies (RFC 3834). Never throws; looks at the first megabyte and takes far less than a second,
 * whatever it is given. Nothing in the answer is proven: a notice is as easily forged as any message.
 */
export function readNotice(message: Buffer): Notice {
  const opened = openNotice(message)
  return readComplaint(opened) ?? readDeliveryStatus(opened) ?? readReply(opened) ?? { kind: 'unknown' }
}

function readComplaint(opened: OpenedNotice): Notice | null {
  const part = opened.parts.find(({ type }) => type === 'message/feedback-report')
  if (part === undefined) return null
  const { feedback, recipients } = readFeedbackFields(part.text)
  const header = findReturnedHeader(opened, null)
  const other = recipients.length > 0 ? null : recipientOfReturned(header)
  return {
    kind: 'complaint',
    feedback,
    recipients: other === null ? recipients : [other],
    returned: describeReturned(header),
  }
}

function readDeliveryStatus(opened: OpenedNotice): Notice | null {
  const part =
    opened.parts.find(({ type }) => STATUS_TYPES.has(type)) ??
    opened.parts.find(({ type, text }) => type === 'text/plain' && hasStatusFields(text))
  if (part === undefined) return null
  const claims = readStatusFields(part.text)
  if (claims.length === 0) return null
  const header = findReturnedHeader(opened, null)
  return { kind: 'delivery_status', recipients: claims.map(judgeClaim), returned: describeReturned(header) }
}

function readReply({ fields }: OpenedNotice): Notice | null {
  const submitted = (findField(fields, 'auto-submitted') ?? '').toLowerCase()
  return submitted.startsWith('auto-') ? { kind: 'auto_reply' } : null
}
