/**
 * Limits the messages in any window of `perMs`. Times are milliseconds since the epoch. A clock that steps back resets
 * the limit.
 */
export class RateLimit {
  readonly #times: Float64Array
  readonly #perMs: number
  #next = 0

  constructor({ count, perMs }: { count: number; perMs: number }) {
    this.#times = new Float64Array(count)
    this.#perMs = perMs
  }

  /** Returns the milliseconds until the next message may be sent, or 0 if it may be sent now. */
  waitMs(nowMs: number): number {
    // The oldest of the last `count` timestamps: since then, `count` messages have been sent.
    const oldestMs = this.#times[this.#next] as number
    if (oldestMs > nowMs) return 0
    return Math.max(0, oldestMs + this.#perMs - nowMs)
  }

  /** Counts a message that is sent now. */
  record(nowMs: number): void {
    this.#times[this.#next] = nowMs
    this.#next = (this.#next + 1) % this.#times.length
  }

  /** Returns how many messages may be sent within `ms`. */
  countWithin(ms: number): number {
    return Math.max(1, Math.floor((this.#times.length * ms) / this.#perMs))
  }

  /** Milliseconds per message at this rate. */
  get everyMs(): number {
    return this.#perMs / this.#times.length
  }
}
