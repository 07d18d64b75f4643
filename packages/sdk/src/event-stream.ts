import { readError, SendwrightError } from './result.ts'
import { pause } from './transport.ts'
import type { EventType, FeedEvent } from './types.ts'

export interface StreamOptions<T extends EventType = EventType> {
  /** Only events of these types. */
  types?: readonly T[]
  /** Only events of this email. */
  email_id?: string
  /** Only events of this email, contact, domain, suppression or webhook. */
  subject_id?: string
  /** Continues after this cursor, which an earlier stream or page had. */
  after?: string
  /** Without `after`: `start` begins with the oldest event, `end` (default) with the next one. */
  from?: 'start' | 'end'
  /** Ends the stream. The loop then ends without an error. */
  signal?: AbortSignal
}

/** Where a connection starts. */
interface Start {
  query: { after?: string; from?: string }
  headers: Record<string, string>
}

type Connect = (start: Start, signal: AbortSignal) => Promise<Response>

/** The server sends a heartbeat every 15 seconds. A connection that is silent for longer is dead. */
const SILENCE_MAX_MS = 45_000
const DELAY_FIRST_MS = 500
const DELAY_MAX_MS = 30_000

/**
 * A stream of events, for one `for await`. It reconnects after lost connections, outages and rate limits, each time
 * after its cursor. It throws a SendwrightError only if the request is invalid, or the server rejects it: an invalid key,
 * cursor or filter.
 */
export class EventStream<T extends EventType = EventType> implements AsyncIterable<FeedEvent<T>> {
  readonly #options: StreamOptions<T>
  readonly #connect: Connect
  #cursor: string | null
  /** The connections since the last event or heartbeat. */
  #failures = 0

  constructor(options: StreamOptions<T>, connect: Connect) {
    this.#options = options
    this.#connect = connect
    this.#cursor = options.after ?? null
  }

  /**
   * The position after the last event that the loop received, at first that of the start; null until the stream is open.
   * Store it after you have processed an event, and pass it as `after` to continue there.
   */
  get cursor(): string | null {
    return this.#cursor
  }

  /** Reads events until the signal aborts. */
  async *[Symbol.asyncIterator](): AsyncGenerator<FeedEvent<T>, void, undefined> {
    const { signal } = this.#options
    while (!signal?.aborted) {
      let waitMs = 0
      try {
        yield* this.#readConnection()
      } catch (error) {
        if (isFinal(error)) throw error
        waitMs = retryAfterMs(error)
      }
      await pause(Math.max(waitMs, delayAfter(this.#failures++)), signal).catch(() => {})
    }
  }

  /** Opens one connection and reads it until it breaks. */
  async *#readConnection(): AsyncGenerator<FeedEvent<T>> {
    const { signal } = this.#options
    const connection = new AbortController()
    const abort = () => connection.abort()
    signal?.addEventListener('abort', abort)
    try {
      const response = await this.#open(connection)
      for await (const { id, data } of readFrames(response, connection)) {
        this.#failures = 0
        if (id !== undefined) this.#cursor = id
        if (data !== undefined) yield JSON.parse(data)
      }
    } finally {
      signal?.removeEventListener('abort', abort)
      connection.abort()
    }
  }

  /** Waits for a successful response, no longer than a connection may be silent. */
  async #open(connection: AbortController): Promise<Response> {
    const timer = setTimeout(() => connection.abort(), SILENCE_MAX_MS)
    try {
      const response = await this.#connect(this.#start(), connection.signal)
      if (!response.ok) throw await readError(response, null)
      return response
    } finally {
      clearTimeout(timer)
    }
  }

  #start(): Start {
    const cursor = this.#cursor
    if (cursor !== null) return { query: {}, headers: { 'last-event-id': cursor } }
    return { query: { from: this.#options.from ?? 'end' }, headers: {} }
  }
}

function delayAfter(failures: number): number {
  return Math.min(DELAY_MAX_MS, DELAY_FIRST_MS * 2 ** failures) * (0.5 + Math.random() / 2)
}

function retryAfterMs(error: unknown): number {
  return error instanceof SendwrightError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0
}

/** Whether another attempt would fail in the same way. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof SendwrightError)) return false
  const { name, statusCode: status } = error
  return status === null ? name === 'invalid_request' : status < 500 && status !== 429
}

interface Frame {
  id?: string
  data?: string
}

/** Reads Server-Sent Events (WHATWG HTML, section 9.2), as far as Sendwright uses them: one line for each field. */
async function* readFrames({ body }: Response, connection: AbortController): AsyncGenerator<Frame> {
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let timer: ReturnType<typeof setTimeout> | undefined
  let text = ''
  try {
    for (;;) {
      timer = setTimeout(() => connection.abort(), SILENCE_MAX_MS)
      const { done, value } = await reader.read()
      clearTimeout(timer)
      if (done) return
      const frames = (text + value).split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) yield readFrame(frame)
    }
  } finally {
    clearTimeout(timer)
    // Leaving the loop early closes the connection.
    reader.cancel().catch(() => {})
  }
}

function readFrame(text: string): Frame {
  const frame: Frame = {}
  for (const line of text.split('\n')) {
    if (line.startsWith('id: ')) frame.id = line.slice(4)
    if (line.startsWith('data: ')) frame.data = line.slice(6)
  }
  return frame
}
