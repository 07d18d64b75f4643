/**
 * Limits the messages in any window of `perMs`. Times are milliseconds since the epoch. A clock that steps back resets
 * the limit.
 */
export class RateLimit {
  /** A ring of the last `count` times. It grows with the messages, because many sites send few. */
  readonly #times: number[] = []
  readonly #count: number
  readonly #perMs: number
  #next = 0

  constructor({ count, perMs }: { count: number; perMs: number }) {
    this.#count = count
    this.#perMs = perMs
  }

  /**
   * Returns the milliseconds until the next message may be sent, or 0 if it may be sent now.
   * @param leaving how many more messages must then be free to be sent
   */
  waitMs(nowMs: number, leaving = 0): number {
    // The oldest of the last `count - leaving` timestamps: since then, so many messages have been sent.
    const oldestMs = this.#times[(this.#next + leaving) % this.#count]
    if (oldestMs === undefined || oldestMs > nowMs) return 0
    return Math.max(0, oldestMs + this.#perMs - nowMs)
  }

  /** Counts a message that is sent now. */
  record(nowMs: number): void {
    this.#times[this.#next] = nowMs
    this.#next = (this.#next + 1) % this.#count
  }

  /** Returns how many messages may be sent within `ms`. */
  countWithin(ms: number): number {
    return Math.max(1, Math.floor((this.#count * ms) / this.#perMs))
  }

  /** Milliseconds per message at this rate. */
  get everyMs(): number {
    return this.#perMs / this.#count
  }
}
