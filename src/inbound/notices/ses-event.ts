import type { Notice } from '../../operations/classify/notice.ts'
import { type Action, type Claim, findAddress } from './claim.ts'
import { readFeedbackType } from './feedback-fields.ts'
import { judgeClaim } from './judge-claim.ts'
import type { OpenedNotice } from './open-notice.ts'
import { findStatus } from './status-fields.ts'

const JSON_CHARS_MAX = 256 * 1024
const RECIPIENT_COUNT_MAX = 100
const NOTHING = { returnPath: null, messageId: null, header: null }

/** An event of Amazon SES that its notification service sends by mail, as JSON in the text; null for all else. */
export function readSesEvent({ parts }: OpenedNotice): Notice | null {
  const text = parts.find(({ type }) => type === 'text/plain')?.text.trimStart() ?? ''
  if (!text.startsWith('{') || !/"(?:notification|event)Type"/.test(text.slice(0, 200))) return null
  const event = parseObject(text.slice(0, JSON_CHARS_MAX).split(/\n--\s*\n/)[0] ?? '')
  if (event === null) return null
  const bounce = objectOf(event.bounce)
  if (bounce !== null) return readBounce(bounce)
  const complaint = objectOf(event.complaint)
  return complaint === null ? null : readComplaint(complaint)
}

function readBounce(bounce: Fields): Notice | null {
  const isTemporary = bounce.bounceType === 'Transient'
  const claims = listOf(bounce.bouncedRecipients).map((one): Claim => {
    const said = textOf(one.diagnosticCode).replace(/^\s*(?:smtp|x-[\w-]+)\s*;\s*/i, '')
    return {
      address: textOf(one.emailAddress) || null,
      action: actionOf(textOf(one.action)),
      status: findStatus(textOf(one.status)) ?? (isTemporary ? '4.0.0' : null),
      said,
      context: [`${textOf(bounce.bounceSubType)}`],
      stage: null,
      host: null,
      reporter: textOf(bounce.reportingMTA).replace(/^\w+;\s*/, '') || null,
    }
  })
  if (claims.length === 0) return null
  return { kind: 'delivery_status', recipients: claims.map(judgeClaim), returned: NOTHING }
}

function actionOf(text: string): Action {
  return text === 'delayed' || text === 'delivered' ? text : 'failed'
}

function readComplaint(complaint: Fields): Notice {
  const recipients = listOf(complaint.complainedRecipients).map((one) => textOf(one.emailAddress))
  return {
    kind: 'complaint',
    feedback: readFeedbackType(textOf(complaint.complaintFeedbackType)),
    recipients: recipients.flatMap((address) => findAddress(address) ?? []),
    returned: NOTHING,
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Long lines are cut on the way, inside of strings too (`!` at the end of a line is Sendmail's mark of that). */
function parseObject(text: string): Fields | null {
  try {
    return objectOf(JSON.parse(text.replace(/!?\n ?/g, '')))
  } catch {
    return null
  }
}

function objectOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

function listOf(value: unknown): Fields[] {
  const list: unknown[] = Array.isArray(value) ? value.slice(0, RECIPIENT_COUNT_MAX) : []
  return list.flatMap((one) => {
    const fields = objectOf(one)
    return fields === null ? [] : [fields]
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 4000) : ''
}
