import type { ErrorBody } from '../http/connections/error-body.ts'
import { cutToBytes, escapeControls, hideAddresses } from '../lib/text/foreign-text.ts'
import type { AnsweredRequest } from './answered-request.ts'

const MESSAGE_BYTES_MAX = 500
const FIELDS_MAX = 10
const FIELD_BYTES_MAX = 100

/** An entry of the request log. */
export interface LoggedRequest extends AnsweredRequest {
  createdAt: Date
}

/**
 * Returns a request as it is stored: without addresses, and bounded. Messages of errors can repeat a part of the request, and
 * programs write into their user agent what they like; both may name a recipient.
 */
export function storedRequest(request: AnsweredRequest): AnsweredRequest {
  const userAgent = request.userAgent === null ? null : hideAddresses(request.userAgent)
  return { ...request, userAgent, error: storedError(request.error) }
}

function storedError(error: ErrorBody | null): ErrorBody | null {
  if (error === null) return null
  const { errors, ...rest } = error
  const message = storedText(error.message, MESSAGE_BYTES_MAX)
  if (errors === undefined) return { ...rest, message }
  const fields = Object.entries(errors)
    .slice(0, FIELDS_MAX)
    .map(([field, messages]): [string, string[]] => [
      storedText(field, FIELD_BYTES_MAX),
      messages.slice(0, 1).map((each) => storedText(each, MESSAGE_BYTES_MAX)),
    ])
  return { ...rest, message, errors: Object.fromEntries(fields) }
}

function storedText(text: string, bytesMax: number): string {
  // Cut first, so that a long text costs no more; then again, because escapes are longer.
  return cutToBytes(hideAddresses(escapeControls(cutToBytes(text, bytesMax))), bytesMax)
}
