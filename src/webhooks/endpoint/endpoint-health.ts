/** Concurrent requests to one endpoint. */
export const SENDING_MAX = 8
/** An endpoint fails after this many consecutive failures, so that one bad event among good ones does not pause it. */
const FAILURES_TO_PAUSE = 3
const PROBE_MIN_MS = 200
const PROBE_MAX_MS = 5 * 60_000
const DAY_MS = 24 * 3_600_000
const FAILING_DAYS_MAX = 5
const GONE = 'The endpoint answered 410: it is gone for good.'
const FAILED_FOR_DAYS = `The endpoint has failed for ${FAILING_DAYS_MAX} days without a success.`

/**
 * The health of an endpoint. *Healthy*: concurrency grows with every success. *Failing* (three consecutive failures):
 * one request at a time. Feed events then wait for half the time that the endpoint has failed, at most five minutes;
 * the rest of its feed stays unread.
 */
export class EndpointHealth {
  #failingSince: Date | null
  /** End of the wait of a failing endpoint. */
  #probeAt: Date | null
  /** The end of the wait that the endpoint requested (Retry-After). */
  #retryAfterUntil: Date | null = null
  #failuresInRow: number
  successesInRow = 0

  constructor({ failingSince, probeAt }: { failingSince: Date | null; probeAt: Date | null }) {
    this.#failingSince = failingSince
    this.#probeAt = probeAt
    this.#failuresInRow = failingSince === null || probeAt === null ? 0 : FAILURES_TO_PAUSE
  }

  /** The start of the current failures; null if the last attempt succeeded. */
  get failingSince(): Date | null {
    return this.#failingSince
  }

  /** The time before which no feed event is attempted. */
  get probeAt(): Date | null {
    const [probeMs, retryAfterUntilMs] = [
      this.#probeAt?.getTime() ?? 0,
      this.#retryAfterUntil?.getTime() ?? 0,
    ]
    return probeMs === 0 && retryAfterUntilMs === 0 ? null : new Date(Math.max(probeMs, retryAfterUntilMs))
  }

  get isFailing(): boolean {
    return this.#failuresInRow >= FAILURES_TO_PAUSE
  }

  /** The limit on concurrent requests. */
  get sendingMax(): number {
    return this.#failuresInRow > 0 ? 1 : Math.min(SENDING_MAX, 2 + this.successesInRow)
  }

  mayProbe(now: Date): boolean {
    const { probeAt } = this
    return probeAt === null || probeAt <= now
  }

  succeed(): void {
    this.#failingSince = null
    this.#probeAt = null
    this.#failuresInRow = 0
    this.successesInRow++
  }

  /** @param at the start of the attempt */
  fail(at: Date, now: Date, retryAfterMs: number): void {
    this.#failingSince ??= at
    this.#failuresInRow++
    this.successesInRow = 0
    const failingMs = now.getTime() - this.#failingSince.getTime()
    const probeMs = Math.min(Math.max(PROBE_MIN_MS, failingMs / 2), PROBE_MAX_MS)
    if (this.isFailing) this.#probeAt = new Date(now.getTime() + probeMs)
    if (retryAfterMs > 0) this.#retryAfterUntil = new Date(now.getTime() + retryAfterMs)
  }

  /** Returns the reason to disable the endpoint, for its owner, or null if it stays enabled. */
  reasonToDisable(isGone: boolean, now: Date): string | null {
    if (isGone) return GONE
    if (this.#failingSince === null) return null
    return now.getTime() - this.#failingSince.getTime() >= FAILING_DAYS_MAX * DAY_MS ? FAILED_FOR_DAYS : null
  }
}
