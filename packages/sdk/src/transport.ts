import { chooseKey, headersOfKey, mergeHeaders, requireHeaders, requireNoKey } from './headers.ts'
import { readError, SendwrightError } from './result.ts'

/** Options of the client. */
export interface ClientOptions {
  /** An API key, `sw_...`. Default: the environment variable `SENDWRIGHT_API_KEY`. */
  apiKey?: string
  /** The URL of the server: its `PUBLIC_URL`. Default: the environment variable `SENDWRIGHT_URL`. */
  baseUrl?: string
  /** The limit on each attempt, including its response; of a download, on each silence. Default: 30 seconds. */
  timeoutMs?: number
  /** How often a call is repeated at most. Default: 3. */
  retries?: number
  /** The longest `Retry-After` that a call waits for. Beyond it, the call returns the error. Default: 60 seconds. */
  retryAfterMaxMs?: number
  /** Headers of every request. An `Idempotency-Key` is an error: each send needs its own. */
  headers?: Readonly<Record<string, string>>
  /** Replaces the global `fetch`, for example to use a proxy. */
  fetch?: typeof fetch
}

/** Options of one call, which override those of the client. */
export interface CallOptions {
  /** Ends the call. Its error is then `aborted`. */
  signal?: AbortSignal
  /** The limit on each attempt. Default: that of the client, and `wait` of `events.list` in addition. */
  timeoutMs?: number
  retries?: number
  headers?: Readonly<Record<string, string>>
}

export interface ApiRequest extends CallOptions {
  method: string
  /** The path with its query, from the first slash. */
  path: string
  body?: unknown
  /** The media type of a body that is not JSON. */
  type?: string
  accept?: string
  /** The key of a send, which the transport chooses if it is blank; null for other requests. */
  idempotencyKey?: string | null
  /** How long the server may wait before it responds, in addition to the limit of the client. */
  waitMs?: number
  /** Whether a request may run twice, so that it is repeated after a lost response. */
  isRepeatable: boolean
}

export interface Transport {
  /** Resolves to a successful response and what `read` makes of it. Throws SendwrightError. */
  request<T>(
    request: ApiRequest,
    read: (response: Response) => Promise<T>,
  ): Promise<{ data: T; headers: Headers }>
  /**
   * Resolves to the body of a successful response, which may be larger than memory. The time limit is on how long the server is
   * silent. Throws SendwrightError, as do the reads of the body.
   */
  download(request: ApiRequest): Promise<{ data: ReadableStream<Uint8Array>; headers: Headers }>
  /**
   * Makes one attempt without a time limit. Resolves to the response, whatever its status. Rejects with a SendwrightError,
   * `invalid_request`, if a header cannot be sent.
   */
  open(request: ApiRequest, signal: AbortSignal): Promise<Response>
}

const TIMEOUT_MS = 30_000
const RETRIES = 3
const RETRY_AFTER_MAX_MS = 60_000
const DELAY_FIRST_MS = 500
const DELAY_MAX_MS = 8_000

/** Throws TypeError if an option is missing, or the headers have an idempotency key. */
export function createTransport(options: ClientOptions): Transport {
  const { apiKey = readEnvironment('SENDWRIGHT_API_KEY'), baseUrl = readEnvironment('SENDWRIGHT_URL') } =
    options
  if (!apiKey) throw new TypeError('Pass apiKey, or set SENDWRIGHT_API_KEY.')
  if (!baseUrl) throw new TypeError('Pass baseUrl, or set SENDWRIGHT_URL: the URL of your Sendwright server.')
  requireNoKey(options.headers)
  const root = new URL(baseUrl).href.replace(/\/+$/, '')
  const defaults = { authorization: `Bearer ${apiKey}`, 'user-agent': 'sendwright-sdk' }

  const open: Transport['open'] = async (request, signal) => {
    const { method, path, body, type = 'application/json', accept, idempotencyKey } = request
    const own = {
      ...(accept === undefined ? {} : { accept }),
      ...(body === undefined ? {} : { 'content-type': type }),
    }
    const key = headersOfKey(idempotencyKey)
    const headers = mergeHeaders(defaults, options.headers, own, request.headers, key)
    requireHeaders(headers, idempotencyKey)
    const send = options.fetch ?? fetch
    return send(root + path, {
      method,
      signal,
      // A redirect would turn a POST into a GET.
      redirect: 'manual',
      headers,
      ...(body === undefined ? {} : { body: body as string }),
    })
  }

  return {
    open,
    request: (request, read) => repeatCall(options, request, (timed) => requestOnce(open, timed, read)),
    download: (request) => repeatCall(options, request, (timed) => downloadOnce(open, timed)),
  }
}

type TimedRequest = ApiRequest & { timeoutMs: number }

async function repeatCall<T>(
  options: ClientOptions,
  request: ApiRequest,
  tryOnce: (request: TimedRequest) => Promise<T>,
): Promise<T> {
  const { retries = options.retries ?? RETRIES, signal } = request
  const retryAfterMaxMs = options.retryAfterMaxMs ?? RETRY_AFTER_MAX_MS
  const timed = {
    ...request,
    timeoutMs: request.timeoutMs ?? (options.timeoutMs ?? TIMEOUT_MS) + (request.waitMs ?? 0),
    // One key for all attempts of the call.
    idempotencyKey: chooseKey(request),
  }
  for (let attempt = 0; ; attempt++) {
    try {
      return await tryOnce(timed)
    } catch (error) {
      const delayMs = readDelay(error, timed, attempt, retryAfterMaxMs)
      if (delayMs === null || attempt >= retries) throw error
      await pause(delayMs, signal, timed)
    }
  }
}

async function requestOnce<T>(
  open: Transport['open'],
  request: TimedRequest,
  read: (response: Response) => Promise<T>,
): Promise<{ data: T; headers: Headers }> {
  const attempt = new Attempt(request)
  try {
    const response = await attempt.open(open)
    return { data: await read(response), headers: response.headers }
  } catch (error) {
    throw attempt.explain(error)
  } finally {
    attempt.end()
  }
}

async function downloadOnce(
  open: Transport['open'],
  request: TimedRequest,
): Promise<{ data: ReadableStream<Uint8Array>; headers: Headers }> {
  const attempt = new Attempt(request)
  try {
    const { body, headers } = await attempt.open(open)
    attempt.stopTimer()
    return { data: attempt.limit(body ?? new Blob([]).stream()), headers }
  } catch (error) {
    attempt.end()
    throw attempt.explain(error)
  }
}

/** One attempt of a call, which ends when the call is aborted or its timer runs out. */
class Attempt {
  readonly #request: TimedRequest
  readonly #controller = new AbortController()
  readonly #abort = () => this.#controller.abort(this.#request.signal?.reason)
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(request: TimedRequest) {
    this.#request = request
  }

  /** Starts the attempt. Resolves to a successful response. */
  async open(open: Transport['open']): Promise<Response> {
    const { signal, idempotencyKey = null } = this.#request
    signal?.addEventListener('abort', this.#abort)
    this.#startTimer()
    if (signal?.aborted) throw signal.reason
    const response = await open(this.#request, this.#controller.signal)
    if (!response.ok) throw await readError(response, idempotencyKey)
    return response
  }

  #startTimer(): void {
    this.#timer = setTimeout(() => this.#controller.abort(TIMED_OUT), this.#request.timeoutMs)
  }

  /** From now on, no time limit ends the attempt, except that of each read of `limit`. */
  stopTimer(): void {
    clearTimeout(this.#timer)
  }

  /** Stops the timer and listens to the caller's signal no longer. */
  end(): void {
    this.stopTimer()
    this.#request.signal?.removeEventListener('abort', this.#abort)
  }

  /** Returns the body. Each of its reads has the time limit, and the attempt ends with the body. */
  limit(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader()
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      this.#startTimer()
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        this.end()
        controller.close()
      } catch (error) {
        this.end()
        controller.error(this.explain(error))
      } finally {
        this.stopTimer()
      }
    }
    const cancel = (reason: unknown) => {
      this.end()
      return reader.cancel(reason)
    }
    // Nothing is read ahead: the time between two reads of the caller is not the server's.
    return new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 })
  }

  /** Returns the error for callers: why the attempt ended, if it did. */
  explain(error: unknown): SendwrightError {
    if (error instanceof SendwrightError) return error
    return explainFailure(error, this.#request, this.#controller.signal)
  }
}

const TIMED_OUT = Symbol('timed out')

function explainFailure(cause: unknown, request: TimedRequest, attempt: AbortSignal): SendwrightError {
  const { signal, timeoutMs, idempotencyKey = null } = request
  if (signal?.aborted) return aborted(request)
  const isLate = attempt.reason === TIMED_OUT
  const isUnreadable = cause instanceof SyntaxError
  return new SendwrightError({
    name: isLate ? 'timeout' : isUnreadable ? 'invalid_response' : 'network_error',
    message: isLate
      ? `The server did not respond within ${timeoutMs} ms.`
      : isUnreadable
        ? 'The response is not JSON. Is baseUrl the URL of a Sendwright server?'
        : `The request failed: ${String(cause instanceof Error ? (cause.cause ?? cause) : cause)}`,
    idempotencyKey,
    cause,
  })
}

function aborted({ signal, idempotencyKey = null }: ApiRequest): SendwrightError {
  return new SendwrightError({
    name: 'aborted',
    message: 'The call was aborted.',
    idempotencyKey,
    cause: signal?.reason,
  })
}

/** Returns how long to wait before the next attempt; null if there must be none. */
function readDelay(
  error: unknown,
  request: ApiRequest,
  attempt: number,
  retryAfterMaxMs: number,
): number | null {
  if (!(error instanceof SendwrightError) || !mayRepeat(error, request)) return null
  const retryAfterMs = (error.retryAfterSeconds ?? 0) * 1_000
  if (retryAfterMs > retryAfterMaxMs) return null
  // Half of the delay is random, so that clients that failed together do not return together.
  const backoffMs = Math.min(DELAY_MAX_MS, DELAY_FIRST_MS * 2 ** attempt) * (0.5 + Math.random() / 2)
  return Math.max(backoffMs, retryAfterMs)
}

/**
 * With 429 and 503, Sendwright has accepted nothing, or knows the request by its key. After any other failure the
 * request may have been processed, and only one that may run twice is repeated.
 */
function mayRepeat({ name, statusCode }: SendwrightError, { isRepeatable }: ApiRequest): boolean {
  if (statusCode === 429 || name === 'service_unavailable') return true
  // The previous attempt of this call is still being processed.
  if (name === 'concurrent_idempotent_requests') return true
  const isOutage = statusCode === null ? name === 'network_error' || name === 'timeout' : statusCode >= 500
  return isOutage && isRepeatable
}

/** Waits. Throws SendwrightError if the signal aborts. */
export function pause(ms: number, signal: AbortSignal | undefined, request?: ApiRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(aborted(request ?? ({ signal } as ApiRequest)))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
}

/** Workers have no `process`. */
function readEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name]
}
