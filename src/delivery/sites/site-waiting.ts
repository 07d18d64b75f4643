import type { DueDelivery } from '../../queue/types.ts'
import { FairQueue } from '../dispatch/fair-queue.ts'
import { RateLimit } from './site-rate-limit.ts'
import type { Pause } from './site-throttle.ts'

export interface SiteWaitingDeps {
  nowMs(): number
  random: () => number
  /** How many may wait for it now. Less and less while others hold much: no few slow sites take all the memory. */
  waitingMax(): number
  /** It was full, and takes more again. */
  wake(): void
  /** It waits in the database; `pause` null: for a limit of ours. */
  postpone(delivery: DueDelivery, until: Date, pause: Pause | null): void
}

type Rate = { count: number; perMs: number } | null

/** What waits for a pause is spread over so long behind its end, so that the first of it can be the probe. */
const POSTPONE_SPREAD_MS = 3000
/** What a rate admits within this may wait in memory; the rest waits in the database. */
const RATE_HOLD_MS = 10_000

/**
 * What waits in memory for one site, teams in turn. There is room for `waitingMax`, and for no more than its rate
 * admits soon; what waits longer waits in the database, where it holds neither memory nor a lease.
 */
export class SiteWaiting {
  readonly #deps: SiteWaitingDeps
  readonly #queue = new FairQueue<DueDelivery>()
  /** What goes before all that (queue/backpressure.ts). */
  readonly #first = new FairQueue<DueDelivery>()
  #given: Rate
  #rate: RateLimit | null
  #wasFull = false

  constructor(deps: SiteWaitingDeps, rate: Rate) {
    this.#deps = deps
    this.#given = rate
    this.#rate = rate === null ? null : new RateLimit(rate)
  }

  get size(): number {
    return this.#queue.size + this.#first.size
  }

  /** Whether the next to go is one that goes first. */
  get hasFirst(): boolean {
    return this.#first.size > 0
  }

  get isFull(): boolean {
    return this.size >= this.#roomMax()
  }

  /** Milliseconds until the rate lets the next one go; 0: now. */
  get rateWaitMs(): number {
    return this.#rate?.waitMs(this.#deps.nowMs()) ?? 0
  }

  /** Whether the rate lets the next one go so late that it had better wait in the database. */
  get isRateUsedUp(): boolean {
    return this.rateWaitMs > RATE_HOLD_MS
  }

  /** The rules changed. What has gone counts on while the rate is the same. */
  reshape(rate: Rate): void {
    const isSame = rate?.count === this.#given?.count && rate?.perMs === this.#given?.perMs
    if (!isSame) this.#rate = rate === null ? null : new RateLimit(rate)
    this.#given = rate
  }

  /** Returns whether it waits here; false: more than twice what the rate admits soon is here, and it was postponed. */
  add(delivery: DueDelivery, isFirst: boolean): boolean {
    if (this.#rate !== null && this.size >= 2 * this.#roomMax()) {
      const waitMs = this.rateWaitMs + this.size * this.#rate.everyMs
      this.#deps.postpone(delivery, new Date(this.#deps.nowMs() + waitMs), null)
      return false
    }
    const queue = isFirst ? this.#first : this.#queue
    queue.add(delivery)
    this.#wasFull ||= this.isFull
    return true
  }

  /** One that was taken, and could not be begun. */
  putBack(delivery: DueDelivery): void {
    this.#queue.add(delivery)
  }

  /** The next to go, which counts for the rate from now on; null when nothing waits. */
  take(): DueDelivery | null {
    const delivery = this.#first.take() ?? this.#queue.take()
    if (delivery === null) return null
    this.#rate?.note(this.#deps.nowMs())
    this.#noteRoom()
    return delivery
  }

  takeAll(): DueDelivery[] {
    return [...this.#first.takeAll(), ...this.#queue.takeAll()]
  }

  /** All of it to the end of the pause. */
  postponeAll(pause: Pause): void {
    const fromMs = Math.max(pause.untilMs, this.#deps.nowMs())
    for (const delivery of this.takeAll()) {
      const until = new Date(fromMs + Math.round(this.#deps.random() * POSTPONE_SPREAD_MS))
      this.#deps.postpone(delivery, until, pause)
    }
  }

  /** Each to about the time when the rate has room for it. */
  postponeForRate(): void {
    let atMs = this.#deps.nowMs() + this.rateWaitMs
    for (const delivery of this.takeAll()) {
      this.#deps.postpone(delivery, new Date(atMs), null)
      atMs += this.#rate?.everyMs ?? 0
    }
  }

  #roomMax(): number {
    const held = this.#deps.waitingMax()
    return this.#rate === null ? held : Math.min(held, this.#rate.countWithin(RATE_HOLD_MS))
  }

  /** Half empty again: claims may go on before the rest is sent, or its connections would stand idle meanwhile. */
  #noteRoom(): void {
    if (!this.#wasFull || this.size > this.#roomMax() / 2) return
    this.#wasFull = false
    this.#deps.wake()
  }
}
