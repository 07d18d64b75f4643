import { findAddress } from './claim.ts'
import { type Fields, findField, findFields, readSection } from './fields.ts'

export interface FeedbackReport {
  /** Lower case, for example `abuse`. */
  feedback: string
  recipients: string[]
}

const RECIPIENT_COUNT_MAX = 1000
const TYPE_CHARS_MAX = 40

/** Reads a message/feedback-report part (RFC 5965 section 3, RFC 6591 section 3). */
export function readFeedbackFields(text: string): FeedbackReport {
  const fields = fieldsOf(text)
  return {
    feedback: readFeedbackType(findField(fields, 'feedback-type') ?? ''),
    recipients: recipientsOf(fields),
  }
}

/** Returns the Feedback-Type. Without one, the report still counts as a complaint. */
export function readFeedbackType(text: string): string {
  const type = text.toLowerCase().replace(/[^a-z0-9-]+/g, '')
  return type.slice(0, TYPE_CHARS_MAX) || 'abuse'
}

/** Removes empty lines, which the grammar forbids but which occur. */
function fieldsOf(text: string): Fields {
  return readSection(text.replace(/\n[ \t]*(?=\n)/g, '').trimStart()).fields
}

function recipientsOf(fields: Fields): string[] {
  const values = [...findFields(fields, 'original-rcpt-to'), ...findFields(fields, 'removal-recipient')]
  const addresses = values.slice(0, RECIPIENT_COUNT_MAX).flatMap((value) => findAddress(value) ?? [])
  return [...new Set(addresses)]
}
