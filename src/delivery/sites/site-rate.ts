import { RateLimit } from './site-rate-limit.ts'

/** Bulk mail leaves this part of a rate free, and at least one message, so that transactional mail starts at once. */
const FREE_PART = 0.1
/** The part of a rate that bulk mail may use however much transactional mail is sent. */
const BULK_PART = 0.5

/**
 * The rate of a site, which both classes share. Bulk mail leaves a part of it free beside the transactional mail of the
 * same window. The limit for all mail is never exceeded, and a rate of one message is shared.
 */
export class SiteRate {
  readonly #all: RateLimit
  /** The bulk mail among them. */
  readonly #bulk: RateLimit
  readonly #count: number
  readonly #freeCount: number
  readonly #bulkMax: number

  constructor({ count, perMs }: { count: number; perMs: number }) {
    this.#count = count
    this.#freeCount = count === 1 ? 0 : Math.max(1, Math.floor(count * FREE_PART))
    this.#bulkMax = count - this.#freeCount
    this.#all = new RateLimit({ count, perMs })
    this.#bulk = new RateLimit({ count: this.#bulkMax, perMs })
  }

  /** Milliseconds until the next transactional message may be sent, or 0. */
  waitMs(nowMs: number): number {
    return this.#all.waitMs(nowMs)
  }

  /**
   * Returns the milliseconds until the next bulk message may be sent, or 0.
   * @param transactionalCount the transactional messages that wait
   */
  bulkWaitMs(nowMs: number, transactionalCount: number): number {
    const atOnceMs = Math.max(this.#all.waitMs(nowMs), this.#bulk.waitMs(nowMs))
    if (this.#isExceededBy(transactionalCount, nowMs)) return atOnceMs
    const untilFreeMs = this.#all.waitMs(nowMs, this.#freeCount)
    const bulkPart = Math.max(1, Math.floor(this.#count * BULK_PART))
    const untilPartMs = this.#bulk.waitMs(nowMs, Math.max(0, this.#bulkMax - bulkPart))
    return Math.max(atOnceMs, Math.min(untilFreeMs, untilPartMs))
  }

  /**
   * Whether more transactional messages wait than may be sent now. Then the classes and teams take turns
   * (fair-queue.ts), as they do without a rate, so that no team gains by its class.
   */
  #isExceededBy(transactionalCount: number, nowMs: number): boolean {
    if (transactionalCount === 0) return false
    return transactionalCount > this.#count || this.#all.waitMs(nowMs, transactionalCount - 1) > 0
  }

  /** Counts a message that is sent now. */
  record(nowMs: number, isBulk: boolean): void {
    this.#all.record(nowMs)
    if (isBulk) this.#bulk.record(nowMs)
  }

  /** Returns whether no message in the current window counts. */
  isUnused(nowMs: number): boolean {
    return this.#all.waitMs(nowMs, this.#count - 1) === 0
  }

  /** Returns how many messages of a class alone may be sent within `ms`. */
  countWithin(ms: number, isBulk: boolean): number {
    return (isBulk ? this.#bulk : this.#all).countWithin(ms)
  }

  /** Returns the milliseconds per message of a class alone. */
  everyMs(isBulk: boolean): number {
    return (isBulk ? this.#bulk : this.#all).everyMs
  }
}
