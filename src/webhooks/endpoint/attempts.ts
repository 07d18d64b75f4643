import { retryDelayMs } from '../../lib/time/backoff.ts'
import type { ResponseVerdict } from '../request/classify-response.ts'
import { EndpointHealth } from './endpoint-health.ts'
import type { Endpoint } from './endpoint-workers-queries.ts'
import { type SenderDeps, WebhookSender } from './sender.ts'
import type { AttemptResult } from './webhook-results-queries.ts'
import type { DueSend } from './worker-types.ts'

export type WebhookOutcome = 'delivered' | 'failed' | 'given_up'

export interface AttemptsDeps extends SenderDeps {
  random: () => number
  /** The waits before attempts 2, 3, and so on; there is one more attempt than waits. */
  retryScheduleMs: readonly number[]
  count(outcome: WebhookOutcome): void
}

/** The outcome of one attempt. */
export interface Done {
  result: Omit<AttemptResult, 'id'>
  /** The reason to disable the endpoint, or null. */
  disableReason: string | null
}

const NOT_STORED = 'The event is no longer stored.'

/** Attempts deliveries to one endpoint, and tracks its health. */
export class Attempts {
  #endpoint: Endpoint
  #health: EndpointHealth
  readonly #sender: WebhookSender
  readonly #deps: AttemptsDeps

  constructor(endpoint: Endpoint, deps: AttemptsDeps) {
    this.#endpoint = endpoint
    this.#deps = deps
    this.#health = new EndpointHealth(endpoint)
    this.#sender = new WebhookSender(endpoint, deps)
  }

  get health(): EndpointHealth {
    return this.#health
  }

  /** Failures of the old URL, including those of requests on the wire, do not count against a new one. */
  change(endpoint: Endpoint): void {
    if (endpoint.url !== this.#endpoint.url) this.#health = new EndpointHealth(endpoint)
    this.#endpoint = endpoint
    this.#sender.change(endpoint)
  }

  close(): void {
    this.#sender.close()
  }

  async send({
    messageId,
    body,
    attemptCount,
  }: Pick<DueSend, 'messageId' | 'body' | 'attemptCount'>): Promise<Done> {
    const { count, clock } = this.#deps
    if (body === null) {
      count('given_up')
      const lastAttempt = { at: clock.now(), status: null, latencyMs: 0, error: NOT_STORED }
      return { result: { lastAttempt, status: 'failed', dueAt: null, answer: null }, disableReason: null }
    }
    const health = this.#health
    const { lastAttempt, verdict, answer } = await this.#sender.send(messageId, body)
    if (verdict.isDelivered) {
      health.succeed()
      count('delivered')
      return { result: { lastAttempt, status: 'delivered', dueAt: null, answer }, disableReason: null }
    }
    const now = clock.now()
    health.fail(lastAttempt.at, now, verdict.retryAfterMs)
    const isCurrent = health === this.#health
    const disableReason = isCurrent ? health.reasonToDisable(verdict.isGone, now) : null
    const dueAt = disableReason === null ? this.#dueAt(verdict, attemptCount + 1, isCurrent, now) : null
    count(dueAt === null ? 'given_up' : 'failed')
    return {
      result: { lastAttempt, status: dueAt === null ? 'failed' : 'waiting', dueAt, answer },
      disableReason,
    }
  }

  /** Returns the time of the next attempt, or null for none. */
  #dueAt(
    verdict: ResponseVerdict & { isDelivered: false },
    attemptCount: number,
    isCurrent: boolean,
    now: Date,
  ): Date | null {
    const { retryScheduleMs, random } = this.#deps
    if (attemptCount > retryScheduleMs.length) return null
    const delayMs = retryDelayMs(retryScheduleMs, attemptCount, random)
    return new Date(now.getTime() + Math.max(delayMs, isCurrent ? verdict.retryAfterMs : 0))
  }
}
