/** The outcome of a call: either `data` or `error` is null. */
export type Result<T> =
  | { data: T; error: null; headers: Headers | null }
  | { data: null; error: SendwrightError; headers: Headers | null }

/** What a {@link SendwrightError} consists of. */
export interface ErrorFields {
  /**
   * The identifier of the error: a name of the API, such as `validation_error`, or one of this package:
   * `network_error`, `timeout`, `aborted`, `invalid_request`, `invalid_response`, `invalid_signature`.
   */
  name: string
  message: string
  /** The status of the response; null if there was none. */
  statusCode?: number | null
  /** The messages for each field of the request, by its dotted path. */
  errors?: Readonly<Record<string, readonly string[]>>
  /** The `x-request-id` of the response, which the server's logs have too. */
  requestId?: string | null
  /** The seconds after which the server accepts another request. */
  retryAfterSeconds?: number | null
  /** The key of a send. Send the same email with it again, and it is delivered at most once. */
  idempotencyKey?: string | null
  headers?: Headers
  cause?: unknown
}

/** The error of a call. `orThrow()` throws it. */
export class SendwrightError extends Error {
  override readonly name: string
  readonly statusCode: number | null
  readonly errors: Readonly<Record<string, readonly string[]>>
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly idempotencyKey: string | null
  /** Private, so that logs of the error do not print it. */
  readonly #headers: Headers | null

  constructor(fields: ErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.name = fields.name
    this.statusCode = fields.statusCode ?? null
    this.errors = fields.errors ?? {}
    this.requestId = fields.requestId ?? null
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null
    this.idempotencyKey = fields.idempotencyKey ?? null
    this.#headers = fields.headers ?? null
  }

  /** The headers of the response; null if there was none. */
  get headers(): Headers | null {
    return this.#headers
  }
}

/** A call that has started. It resolves to a {@link Result} and never rejects. */
export class Call<T> extends Promise<Result<T>> {
  /** `then` returns a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  /** Returns the data. Throws the {@link SendwrightError} if the call failed. */
  async orThrow(): Promise<T> {
    const { data, error } = await this
    if (error !== null) throw error
    return data as T
  }
}

/** Starts a call. A SendwrightError of `work` becomes the error of the result. */
export function startCall<T>(work: () => Promise<{ data: T; headers: Headers | null }>): Call<T> {
  return new Call((resolve, reject) => {
    work().then(
      ({ data, headers }) => resolve({ data, error: null, headers }),
      (error) => {
        if (!(error instanceof SendwrightError)) return reject(error)
        resolve({ data: null, error, headers: error.headers })
      },
    )
  })
}

/** Returns the error of a response that is not a success. */
export async function readError(response: Response, idempotencyKey: string | null): Promise<SendwrightError> {
  const { status, headers } = response
  const text = await response.text().catch(() => '')
  const body = parseObject(text)
  const isOurs = typeof body?.name === 'string' && typeof body.message === 'string'
  return new SendwrightError({
    name: isOurs ? (body.name as string) : 'invalid_response',
    message: isOurs ? (body.message as string) : `The server responded with status ${status}.`,
    statusCode: status,
    errors: (body?.errors ?? {}) as Record<string, string[]>,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: readRetryAfter(headers.get('retry-after')),
    idempotencyKey,
    headers,
  })
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}

/** Reads seconds or an HTTP date (RFC 9110 section 10.2.3). */
function readRetryAfter(value: string | null): number | null {
  if (value === null) return null
  const seconds = /^\d+$/.test(value.trim()) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}
