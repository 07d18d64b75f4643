/** The catalogue of API errors: the status and message of each name (docs/errors.md). */
export const API_ERRORS = {
  missing_api_key: { status: 401, message: 'Invalid API key.' },
  invalid_api_key: { status: 401, message: 'Invalid API key.' },
  restricted_api_key: { status: 403, message: 'This API key is not allowed to do this.' },
  not_logged_in: { status: 401, message: 'You are not logged in.' },
  invalid_credentials: { status: 401, message: 'The email address or the password is wrong.' },
  invalid_code: { status: 401, message: 'This could not be confirmed. Please try again.' },
  login_expired: { status: 401, message: 'This login attempt has expired. Log in again.' },
  recent_login_required: { status: 403, message: 'Enter your password, or log in again.' },
  session_required: {
    status: 403,
    message: 'This endpoint requires a user session. API keys cannot use it.',
  },
  cross_site_request: { status: 403, message: 'This request does not come from the dashboard.' },
  forbidden_role: { status: 403, message: 'Your role in this team does not allow this.' },
  password_login_off: { status: 403, message: 'Passwords are disabled here. Log in with single sign-on.' },
  operators_only: { status: 403, message: 'Only operators of this installation may do this.' },
  authorization_pending: { status: 400, message: 'This login has not been confirmed yet.' },
  slow_down: { status: 400, message: 'Polling too fast. Wait longer between requests.' },
  access_denied: { status: 400, message: 'This login was rejected.' },
  expired_token: { status: 400, message: 'This login has expired.' },
  invalid_link: { status: 410, message: 'This link has expired or was already used.' },
  not_found: { status: 404, message: 'Not found.' },
  method_not_allowed: { status: 405, message: 'Method not allowed.' },
  conflict: { status: 409, message: 'Conflict.' },
  invalid_idempotency_key: {
    status: 400,
    message: 'The Idempotency-Key header must be 1 to 256 printable ASCII characters.',
  },
  invalid_idempotent_request: {
    status: 409,
    message: 'This Idempotency-Key was used before with a different request body.',
  },
  concurrent_idempotent_requests: {
    status: 409,
    message: 'A request with this Idempotency-Key is still being processed.',
  },
  payload_too_large: { status: 413, message: 'The request body is too large.' },
  unsupported_media_type: { status: 415, message: 'The request body must be application/json.' },
  bad_request: { status: 400, message: 'The request is malformed.' },
  validation_error: { status: 422, message: 'The request is invalid.' },
  rate_limit_exceeded: { status: 429, message: 'Rate limit exceeded.' },
  internal_server_error: { status: 500, message: 'Something went wrong on our side.' },
  service_unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable. Nothing was accepted.',
  },
} as const

export type ApiErrorName = keyof typeof API_ERRORS
/** Maps a dotted field path to its messages, for example `attachments.0.content`. */
export type FieldErrors = Record<string, string[]>

/** Thrown when the caller is at fault; becomes the error body of ERR-1. */
export class ApiError extends Error {
  readonly code: ApiErrorName
  readonly status: number
  readonly errors: FieldErrors | undefined
  readonly retryAfterSeconds: number | undefined
  /** One sentence that helps, where clients rely on the words of the message. */
  readonly hint: string | undefined

  constructor(
    code: ApiErrorName,
    message: string = API_ERRORS[code].message,
    detail: { errors?: FieldErrors; retryAfterSeconds?: number; hint?: string } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = API_ERRORS[code].status
    this.errors = detail.errors
    this.retryAfterSeconds = detail.retryAfterSeconds
    this.hint = detail.hint
  }
}

/** Returns the record. Throws a 404 error when there is none. */
export function orNotFound<T>(record: T | null | undefined): T {
  if (record == null) throw new ApiError('not_found')
  return record
}

/** The subject of a message about a whole value; its path is empty. */
export const WHOLE_BODY = 'The request body'

/** Returns a 422 error for one field. */
export function invalidField(field: string, message: string): ApiError {
  return new ApiError('validation_error', message, { errors: { [field]: [message] } })
}

/**
 * Returns a 422 error for several fields; the first message becomes the body's `message`. Null when there are no
 * errors.
 * @param hint one sentence that helps
 */
export function invalidFields(errors: FieldErrors, hint?: string): ApiError | null {
  const first = Object.values(errors)[0]?.[0]
  const detail = hint === undefined ? { errors } : { errors, hint }
  return first === undefined ? null : new ApiError('validation_error', first, detail)
}

/** Throws the error of `invalidFields`, if a field has a problem. */
export function throwInvalid(errors: FieldErrors, hint?: string): void {
  const error = invalidFields(errors, hint)
  if (error !== null) throw error
}
