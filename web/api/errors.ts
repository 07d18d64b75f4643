/** An answer of the API that says no, in the API's own words. */
export class ApiError extends Error {
  /** 0: there was no answer. */
  readonly status: number
  /** As in docs/errors.md, for example `validation_error`. */
  readonly code: string
  /** Dotted field path to what is wrong with it. */
  readonly fields: Readonly<Record<string, string[]>>
  readonly retryAfterSeconds: number | null

  constructor(
    status: number,
    body: { name?: string; message?: string; errors?: Record<string, string[]> },
    retryAfterSeconds: number | null = null,
  ) {
    super(body.message ?? `The server answered ${status}.`)
    this.name = 'ApiError'
    this.status = status
    this.code = body.name ?? 'unknown'
    this.fields = body.errors ?? {}
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** What to show of whatever was thrown. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
