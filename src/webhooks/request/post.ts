import type { IncomingHttpHeaders } from 'node:http'
import { type buildConnector, type Dispatcher, Pool } from 'undici'
import { Refused } from '../../lib/net/guarded-agent.ts'
import { cutToBytes, escapeControls } from '../../lib/text/foreign-text.ts'

/** The outcome of one request. */
export type PostOutcome =
  | { kind: 'answered'; status: number; retryAfter: string | null; text: string }
  /**
   * There was no response. The reason is shown to the endpoint's owner and reveals nothing about the network in
   * between.
   */
  | { kind: 'failed'; error: string }

/** The connections to one endpoint. */
export interface Line {
  post(headers: Readonly<Record<string, string>>, body: string): Promise<PostOutcome>
  /** Closes its connections once they are unused. */
  retire(): void
  /** Closes its connections at once. */
  close(): void
}

export interface LineOptions {
  url: string
  connect: buildConnector.connector
  connectionsMax: number
  /** The limit from the start of the request to the end of the response. */
  timeoutMs: number
}

/** The limit on the stored part of a response body, which is for people to read. */
const KEPT_BYTES_MAX = 4096
/** The limit on the bytes read of a response. Its status line has already decided the outcome. */
const READ_BYTES_MAX = 64 * 1024
/** Shorter than the keep-alive of most servers, so that a request does not meet a closing connection. */
const KEPT_IDLE_MS = 4_000
const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Sendwright-Webhooks',
  'accept-encoding': 'identity',
}

/**
 * Opens separate connections for each endpoint, so that slow endpoints of a host do not delay others on the same
 * host.
 */
export function openLine({ url, connect, connectionsMax, timeoutMs }: LineOptions): Line {
  const { origin, pathname, search } = new URL(url)
  const pool = new Pool(origin, {
    connect,
    connections: connectionsMax,
    pipelining: 1,
    keepAliveTimeout: KEPT_IDLE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const once = (headers: Readonly<Record<string, string>>, body: string, deadlineMs: number) =>
    new Promise<PostOutcome | 'broken'>((resolve) => {
      const reader = new ResponseReader(resolve, Math.max(0, deadlineMs - performance.now()), timeoutMs)
      pool.dispatch(
        { path: pathname + search, method: 'POST', headers: { ...HEADERS, ...headers }, body },
        reader,
      )
    })
  return {
    async post(headers, body) {
      const deadlineMs = performance.now() + timeoutMs
      // The server may just have closed a kept connection, which says nothing about the endpoint.
      let outcome = await once(headers, body, deadlineMs)
      if (outcome === 'broken') outcome = await once(headers, body, deadlineMs)
      return outcome === 'broken' ? UNREACHABLE : outcome
    },
    retire: () => void pool.close().catch(() => {}),
    close: () => void pool.destroy().catch(() => {}),
  }
}

const UNREACHABLE: PostOutcome = { kind: 'failed', error: 'The server could not be reached.' }

/** Reads one response: its status and the beginning of its body. Redirects are responses like any other. */
class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #resolve: (outcome: PostOutcome | 'broken') => void
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | null = null
  #isOver = false
  #status: number | null = null
  #headers: IncomingHttpHeaders = {}
  readonly #parts: Buffer[] = []
  #bytes = 0

  constructor(resolve: (outcome: PostOutcome | 'broken') => void, waitMs: number, timeoutMs: number) {
    this.#resolve = resolve
    this.#timer = setTimeout(() => {
      const error = `No answer came within ${timeoutMs / 1000} s.`
      this.#end(this.#status === null ? { kind: 'failed', error } : this.#response())
    }, waitMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new Error('over'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // 1xx: the final response is still to come (RFC 9110 section 15.2).
    if (status < 200) return
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, part: Buffer): void {
    this.#parts.push(part)
    this.#bytes += part.length
    if (this.#bytes > READ_BYTES_MAX) this.#end(this.#response())
  }

  onResponseEnd(): void {
    // The response is complete, so its connection can be reused.
    this.#controller = null
    this.#end(this.#status === null ? UNREACHABLE : this.#response())
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(this.#status === null ? explain(error) : this.#response())
  }

  #response(): PostOutcome {
    const retryAfter = this.#headers['retry-after']
    return {
      kind: 'answered',
      status: this.#status ?? 0,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      text: readResponseText(Buffer.concat(this.#parts), this.#headers['content-encoding']),
    }
  }

  #end(outcome: PostOutcome | 'broken'): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#resolve(outcome)
    this.#controller?.abort(new Error('over'))
  }
}

/** The connection ended during the request, which is worth one retry. */
const BROKEN = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/
const BAD_CERTIFICATE = /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED)/

function explain(error: Error): PostOutcome | 'broken' {
  if (error instanceof Refused) return { kind: 'failed', error: 'The address is not allowed.' }
  const { code = '' } = error as NodeJS.ErrnoException
  if (BROKEN.test(code)) return 'broken'
  if (BAD_CERTIFICATE.test(code)) return { kind: 'failed', error: "The server's certificate is not valid." }
  return UNREACHABLE
}

/**
 * Returns the beginning of a response body as text that is safe to store and show. Compressed bodies are not decoded,
 * because a small one may expand without limit.
 */
export function readResponseText(body: Buffer, encoding: string | undefined): string {
  const coding = encoding?.trim().toLowerCase() ?? ''
  if (coding !== '' && coding !== 'identity') return '(compressed, not shown)'
  // Drop a character that is cut in two at the end.
  const text = body.toString('utf8', 0, KEPT_BYTES_MAX)
  const lines = text.split(/\r?\n/).map((line) => escapeControls(line.replaceAll('\t', ' ')))
  return cutToBytes(lines.join('\n'), KEPT_BYTES_MAX)
}
