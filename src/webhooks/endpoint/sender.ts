import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { classifyOutcome, type ResponseVerdict } from '../request/classify-response.ts'
import type { Line, PostOutcome } from '../request/post.ts'
import { signWebhook } from '../request/sign.ts'
import type { Endpoint } from './endpoint-workers-queries.ts'
import type { StoredAttempt } from './webhook-results-queries.ts'

export interface SenderDeps {
  clock: Clock
  log: Log
  openLine(url: string): Line
  /** Returns the secrets that sign at a time, newest first. */
  secretsOf(endpoint: Endpoint, at: Date): Buffer[]
}

/** One attempt and its classification. */
export interface SentAttempt {
  lastAttempt: StoredAttempt
  verdict: ResponseVerdict
  /** The beginning of the response body; null without a response. */
  answer: string | null
}

const CANNOT_SEND = 'An internal error: see the log of the service.'

/** Signs and posts requests to one endpoint, according to its current row. */
export class WebhookSender {
  readonly #deps: SenderDeps
  #endpoint: Endpoint
  /** Opened with the first request. */
  #line: Line | null = null
  #secrets: { opened: Buffer[]; until: Date | null } | null = null

  constructor(endpoint: Endpoint, deps: SenderDeps) {
    this.#deps = deps
    this.#endpoint = endpoint
  }

  /** Requests on the wire continue. Later ones go to the changed endpoint. */
  change(endpoint: Endpoint): void {
    if (endpoint.url !== this.#endpoint.url) {
      this.#line?.retire()
      this.#line = null
    }
    this.#secrets = null
    this.#endpoint = endpoint
  }

  close(): void {
    this.#line?.close()
  }

  /** Sends one request. Never rejects: every error is a failed attempt. */
  async send(messageId: string, body: string): Promise<SentAttempt> {
    const { clock } = this.#deps
    const at = clock.now()
    const startedMs = performance.now()
    const outcome = await this.#post(messageId, body, at).catch((error: unknown): PostOutcome => {
      this.#deps.log.error({ err: error, webhook: this.#endpoint.id }, 'could not send a webhook')
      return { kind: 'failed', error: CANNOT_SEND }
    })
    const verdict = classifyOutcome(outcome, clock.now())
    return {
      lastAttempt: {
        at,
        status: outcome.kind === 'answered' ? outcome.status : null,
        latencyMs: Math.round(performance.now() - startedMs),
        error: verdict.isDelivered ? null : verdict.error,
      },
      verdict,
      answer: outcome.kind === 'answered' ? outcome.text : null,
    }
  }

  async #post(messageId: string, body: string, at: Date): Promise<PostOutcome> {
    this.#line ??= this.#deps.openLine(this.#endpoint.url)
    return this.#line.post(signWebhook(this.#secretsAt(at), messageId, at, body), body)
  }

  #secretsAt(at: Date): Buffer[] {
    const secrets = this.#secrets
    if (secrets !== null && (secrets.until === null || at < secrets.until)) return secrets.opened
    const { oldSecretUntil } = this.#endpoint
    const opened = this.#deps.secretsOf(this.#endpoint, at)
    const until = oldSecretUntil !== null && oldSecretUntil > at ? oldSecretUntil : null
    this.#secrets = { opened, until }
    return opened
  }
}
