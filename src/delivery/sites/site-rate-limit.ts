/** Messages in any stretch of `perMs`. Times are milliseconds since the epoch; a clock that steps back starts anew. */
export class RateLimit {
  readonly #times: Float64Array
  readonly #perMs: number
  #next = 0

  constructor({ count, perMs }: { count: number; perMs: number }) {
    this.#times = new Float64Array(count)
    this.#perMs = perMs
  }

  /** Milliseconds until the next may go; 0: now. */
  waitMs(nowMs: number): number {
    // The oldest of the last `count`: as many have gone since it went.
    const oldestMs = this.#times[this.#next] as number
    if (oldestMs > nowMs) return 0
    return Math.max(0, oldestMs + this.#perMs - nowMs)
  }

  note(nowMs: number): void {
    this.#times[this.#next] = nowMs
    this.#next = (this.#next + 1) % this.#times.length
  }

  /** How many may go within `ms`. */
  countWithin(ms: number): number {
    return Math.max(1, Math.floor((this.#times.length * ms) / this.#perMs))
  }

  /** Milliseconds that one message takes of the rate. */
  get everyMs(): number {
    return this.#perMs / this.#times.length
  }
}
