import { DatabaseUnavailable } from '../../db/db-types.ts'
import { ApiError, type ApiErrorName } from '../../lib/api-error.ts'
import { OverloadedError } from '../../lib/async/batcher.ts'
import { reply, type ServerReply } from '../../smtp/server/smtp-types.ts'

interface SmtpCode {
  code: number
  enhanced: string
}

const code = (number: number, enhanced: string): SmtpCode => ({ code: number, enhanced })

/**
 * The SMTP reply for every API error (RFC 5321, RFC 3463; docs/errors.md). 4xx: the same message may be accepted
 * later, so a relaying mail server keeps it. 5xx: it never will be.
 */
export const SMTP_CODES: Readonly<Record<ApiErrorName, SmtpCode>> = {
  missing_api_key: code(530, '5.7.0'),
  invalid_api_key: code(535, '5.7.8'),
  restricted_api_key: code(550, '5.7.1'),
  // User sessions do not occur here.
  not_logged_in: code(535, '5.7.8'),
  invalid_credentials: code(535, '5.7.8'),
  invalid_code: code(535, '5.7.8'),
  login_expired: code(535, '5.7.8'),
  recent_login_required: code(550, '5.7.1'),
  session_required: code(550, '5.7.1'),
  cross_site_request: code(550, '5.7.1'),
  forbidden_role: code(550, '5.7.1'),
  password_login_off: code(550, '5.7.1'),
  operators_only: code(550, '5.7.1'),
  authorization_pending: code(550, '5.7.1'),
  slow_down: code(550, '5.7.1'),
  access_denied: code(550, '5.7.1'),
  expired_token: code(550, '5.7.1'),
  invalid_link: code(550, '5.7.1'),
  not_found: code(550, '5.3.0'),
  method_not_allowed: code(502, '5.5.1'),
  conflict: code(451, '4.3.0'),
  invalid_idempotency_key: code(554, '5.6.0'),
  invalid_idempotent_request: code(554, '5.6.0'),
  concurrent_idempotent_requests: code(451, '4.3.0'),
  payload_too_large: code(552, '5.3.4'),
  unsupported_media_type: code(554, '5.6.1'),
  bad_request: code(500, '5.5.2'),
  validation_error: code(554, '5.6.0'),
  rate_limit_exceeded: code(451, '4.7.1'),
  internal_server_error: code(451, '4.3.0'),
  service_unavailable: code(451, '4.3.0'),
}

/** Validation errors with a cause outside the message. The first match wins. */
export const SMTP_CODES_BY_MESSAGE: readonly { message: RegExp; code: SmtpCode }[] = [
  { message: /^The from address domain is not verified\.$/, code: code(550, '5.7.1') },
  { message: /^Sending is paused for this account\.$/, code: code(451, '4.7.1') },
  { message: /^(?:Daily|Monthly) email quota exceeded\.$/, code: code(452, '4.7.1') },
  { message: /must not be greater than \d+ bytes/, code: code(552, '5.3.4') },
]

/** Returns the reply for an error, or null for an unexpected one, which is logged. */
export function replyTo(error: unknown): ServerReply | null {
  const apiError = toApiError(error)
  if (apiError === null) return null
  const special =
    apiError.code === 'validation_error'
      ? SMTP_CODES_BY_MESSAGE.find(({ message }) => message.test(apiError.message))
      : undefined
  const { code: number, enhanced } = special?.code ?? SMTP_CODES[apiError.code]
  return reply(number, enhanced, inMailWords(apiError.message))
}

function toApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  if (error instanceof DatabaseUnavailable || error instanceof OverloadedError)
    return new ApiError('service_unavailable')
  return null
}

/** Replaces JSON fields and HTTP headers with the corresponding fields of a message. */
function inMailWords(message: string): string {
  return message
    .replace(/\bThe scheduled_at field\b/, 'The X-Sendwright-Scheduled-At field')
    .replace(/\bThe class field\b/, 'The X-Sendwright-Class field')
    .replace(/Idempotency-Key header/, 'Idempotency-Key field')
}
