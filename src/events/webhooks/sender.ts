import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Endpoint } from '../../store/webhook-lanes.ts'
import type { Try } from '../../store/webhook-results.ts'
import { judgeOutcome, type Verdict } from './judge.ts'
import type { Line, PostOutcome } from './post.ts'
import { signWebhook } from './sign.ts'

export interface SenderDeps {
  clock: Clock
  log: Log
  openLine(url: string): Line
  /** The secrets that sign at a moment, newest first. */
  secretsOf(endpoint: Endpoint, at: Date): Buffer[]
}

/** One try, and what it means. */
export interface Tried {
  lastTry: Try
  verdict: Verdict
  /** The beginning of the answer's body; null: no answer came. */
  answer: string | null
}

const CANNOT_SIGN = 'The secret of this webhook cannot be opened.'
const UNSIGNED: PostOutcome = { kind: 'failed', error: CANNOT_SIGN }

/** Signs and posts to one endpoint, as its row says at that time. */
export class Sender {
  readonly #deps: SenderDeps
  #endpoint: Endpoint
  #line: Line
  #secrets: { opened: Buffer[]; until: Date | null } | null = null

  constructor(endpoint: Endpoint, deps: SenderDeps) {
    this.#deps = deps
    this.#endpoint = endpoint
    this.#line = deps.openLine(endpoint.url)
  }

  /** What is on the wire stays there; what follows goes where the endpoint is now. */
  change(endpoint: Endpoint): void {
    if (endpoint.url !== this.#endpoint.url) {
      this.#line.retire()
      this.#line = this.#deps.openLine(endpoint.url)
    }
    this.#secrets = null
    this.#endpoint = endpoint
  }

  close(): void {
    this.#line.close()
  }

  async send(messageId: string, body: string): Promise<Tried> {
    const { clock } = this.#deps
    const at = clock.now()
    const startedMs = performance.now()
    const secrets = this.#secretsAt(at)
    const outcome =
      secrets === null ? UNSIGNED : await this.#line.post(signWebhook(secrets, messageId, at, body), body)
    const verdict = judgeOutcome(outcome, clock.now())
    return {
      lastTry: {
        at,
        status: outcome.kind === 'answered' ? outcome.status : null,
        latencyMs: Math.round(performance.now() - startedMs),
        error: verdict.isDelivered ? null : verdict.error,
      },
      verdict,
      answer: outcome.kind === 'answered' ? outcome.text : null,
    }
  }

  #secretsAt(at: Date): Buffer[] | null {
    const known = this.#secrets
    if (known !== null && (known.until === null || at < known.until)) return known.opened
    const { oldSecretUntil } = this.#endpoint
    try {
      const opened = this.#deps.secretsOf(this.#endpoint, at)
      const until = oldSecretUntil !== null && oldSecretUntil > at ? oldSecretUntil : null
      this.#secrets = { opened, until }
      return opened
    } catch (error) {
      this.#deps.log.error({ err: error, webhook: this.#endpoint.id }, CANNOT_SIGN)
      return null
    }
  }
}
