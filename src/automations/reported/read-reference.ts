import { invalidField } from '../../lib/api-error.ts'
import type { ReportedEvent } from './report-event.ts'
import { PAYLOAD_CHARS_MAX } from './reported-schemas.ts'

/** Returns which contact a request names. Throws `validation_error` unless it names one, by id or address. */
export function readContactReference({
  contact_id: id,
  email,
}: {
  contact_id?: string | null
  email?: string | null
}): ReportedEvent['contact'] {
  const isById = id !== undefined && id !== null
  const isByEmail = email !== undefined && email !== null && email !== ''
  if (isById === isByEmail) {
    throw invalidField('contact_id', 'The request must have either the contact_id field or the email field.')
  }
  return isById ? { id: id.toLowerCase() } : { email: email as string }
}

/** Throws `validation_error` for a payload that is too large. */
export function readPayload(payload: Record<string, unknown> | null | undefined): Record<string, unknown> {
  let isWellFormed = true
  const text = JSON.stringify(payload ?? {}, (key, value: unknown) => {
    if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) isWellFormed = false
    return value
  })
  if (!isWellFormed) throw invalidField('payload', 'The payload field must be valid Unicode text.')
  if (text.length > PAYLOAD_CHARS_MAX) {
    throw invalidField(
      'payload',
      `The payload field must not be greater than ${PAYLOAD_CHARS_MAX} characters.`,
    )
  }
  return payload ?? {}
}
