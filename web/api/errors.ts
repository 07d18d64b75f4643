/** An error response of the API, with the API's own message. */
export class ApiError extends Error {
  /** HTTP status; 0 when there was no response. */
  readonly status: number
  /** An error code of docs/errors.md, for example `validation_error`. */
  readonly code: string
  /** The messages about each field, by its dotted path. */
  readonly fields: Readonly<Record<string, string[]>>
  readonly retryAfterSeconds: number | null

  constructor(
    status: number,
    body: { name?: string; message?: string; errors?: Record<string, string[]> },
    retryAfterSeconds: number | null = null,
  ) {
    super(body.message ?? `The server responded with status ${status}.`)
    this.name = 'ApiError'
    this.status = status
    this.code = body.name ?? 'unknown'
    this.fields = body.errors ?? {}
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The API's codes for a request without a session: teams' paths also take API keys, and ask for one. */
const SESSION_END = ['missing_api_key', 'invalid_api_key', 'not_logged_in']

/** Returns whether the session ended, so that the user has to log in again. */
export function isSessionEnd(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && SESSION_END.includes(error.code)
}

/** Returns the message to show for anything that was thrown. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
