import type { DueDelivery } from '../../queue/types.ts'
import { FairQueue } from './fair-queue.ts'
import { type Outcomes, SHAPED } from './outcomes.ts'
import { PROGRESS_MS, SiteProgress } from './site-progress.ts'
import { SiteRate } from './site-rate.ts'
import type { Pause } from './site-throttle.ts'

export interface SiteWaitingDeps {
  /** The name of the site. */
  name: string
  nowMs(): number
  random: () => number
  /**
   * Returns how many deliveries of a class may wait for the site now. The number shrinks while other sites hold many,
   * so that a few slow sites cannot take all memory.
   */
  waitingMax(isBulk: boolean): number
  /** Returns whether a lane may take a large message now. */
  mayTakeLarge(): boolean
  /** Called when a full site accepts deliveries again. */
  wake(): void
  outcomes: Pick<Outcomes, 'postponed'>
}

type Rate = { count: number; perMs: number } | null

/** Deliveries that wait for a pause become due over this period after its end, so that the first can be the probe. */
const POSTPONE_SPREAD_MS = 3000
/** Deliveries that the rate admits within this time may wait in memory; the rest wait in the database. */
export const RATE_HOLD_MS = 10_000
/** Large messages are not stuck before some have waited for this time. */
const LARGE_PATIENCE_MS = 5_000
/**
 * How long a large message without room waits in the database: longer for each one that waits there already, because a large
 * backlog would otherwise be claimed again every half minute.
 */
const LARGE_RETURN_MS = { min: 30_000, max: 600_000 }
/** A team has room for as many large messages, whatever others have here, so that it gets its turns. */
const LARGE_OF_TEAM_MIN = 5

/**
 * The deliveries that wait in memory for one site, teams in turn. Each class has room for `waitingMax`, and for no more
 * than the site takes and the rate admits soon; the rest wait in the database, where they hold neither memory nor a lease.
 *
 * A claim does not know sizes. If large messages filled the room while no lane may take them, claims would skip the small
 * ones that could leave. Stuck large messages therefore have a room of their own, beyond which they return to the database.
 */
export class SiteWaiting {
  readonly #deps: SiteWaitingDeps
  readonly #queue = new FairQueue<DueDelivery>()
  /** Deliveries with priority (queue/backpressure.ts). */
  readonly #first = new FairQueue<DueDelivery>()
  readonly #progress = new SiteProgress()
  /** Of large messages alone. */
  readonly #largeProgress = new SiteProgress()
  /** Since when large messages have waited without a break. */
  #largeSinceMs = 0
  /** When the last large message of a class that was postponed returns. */
  readonly #largeReturnsMs = new Map<boolean, number>()
  #given: Rate
  #rate: SiteRate | null
  /** The classes whose queue was full and is not yet half empty again. */
  readonly #wasFullOf = new Set<boolean>()

  constructor(deps: SiteWaitingDeps, rate: Rate) {
    this.#deps = deps
    this.#given = rate
    this.#rate = rate === null ? null : new SiteRate(rate)
  }

  get size(): number {
    return this.#queue.size + this.#first.size
  }

  get bulkSize(): number {
    return this.#queue.bulkSize
  }

  /** Whether the next delivery has priority. */
  get hasFirst(): boolean {
    return this.#first.size > 0
  }

  isFullOf(isBulk: boolean): boolean {
    return this.#countOf(isBulk) >= this.#roomMax(isBulk)
  }

  /** Returns whether stuck large messages of a class fill their own room. */
  isFullOfLarge(isBulk: boolean): boolean {
    const roomMax = Math.min(this.#largeProgress.waitingMax(this.#deps.nowMs()), this.#roomMax(isBulk))
    return this.#isStuckWithLarge(isBulk) && this.#largeOf(isBulk) >= roomMax
  }

  /** Returns whether no lane may take the large messages of a class, and more of them wait than the site takes in 20 s. */
  #isStuckWithLarge(isBulk: boolean): boolean {
    const count = this.#largeOf(isBulk)
    if (count === 0 || this.#deps.mayTakeLarge()) return false
    const nowMs = this.#deps.nowMs()
    const isLong = nowMs - this.#largeSinceMs >= LARGE_PATIENCE_MS
    return isLong && count > this.#largeProgress.waitingMax(nowMs, 0)
  }

  #largeOf(isBulk: boolean): number {
    const { large, largeBulk } = this.#counts
    return isBulk ? largeBulk : large
  }

  /** Returns how many deliveries of a class use its room: without stuck large messages. */
  #countOf(isBulk: boolean): number {
    return this.#sizeOf(isBulk) - (this.#isStuckWithLarge(isBulk) ? this.#largeOf(isBulk) : 0)
  }

  #sizeOf(isBulk: boolean): number {
    return isBulk ? this.bulkSize : this.size - this.bulkSize
  }

  /**
   * Returns the milliseconds until the rate admits one of the waiting deliveries, or 0 if it admits one now or none
   * waits.
   * @param mayTakeLarge if false, large messages do not count
   */
  rateWaitMs(mayTakeLarge: boolean): number {
    const { small, large, smallBulk, largeBulk } = this.#counts
    if (small > 0 || (mayTakeLarge && large > 0)) return this.#rateWaitMsOf(false)
    return smallBulk > 0 || (mayTakeLarge && largeBulk > 0) ? this.#rateWaitMsOf(true) : 0
  }

  /**
   * Returns the number of waiting deliveries that lanes may take now, or soon: one lane waits until the rate admits
   * bulk mail. While `rateWaitMs` is 0, `take` returns null exactly when this number is 0.
   * @param bulkLanes the lanes that may still start bulk mail
   * @param largeLanes the lanes that may still start large messages
   */
  takeableCount(bulkLanes: number, largeLanes: number): number {
    const waiting = this.#counts
    const bulkMax = this.admitsBulk ? bulkLanes : Math.min(1, bulkLanes)
    const smallBulk = Math.min(waiting.smallBulk, bulkMax)
    const large = Math.min(waiting.large, largeLanes)
    const largeBulk = Math.min(waiting.largeBulk, bulkMax - smallBulk, largeLanes - large)
    return waiting.small + large + smallBulk + largeBulk
  }

  /** The waiting deliveries by class and size. Those with priority count as transactional. */
  get #counts() {
    const largeBulk = this.#queue.largeBulkSize
    const large = this.#first.largeSize + this.#queue.largeSize - largeBulk
    const small = this.size - this.bulkSize - large
    return { small, large, smallBulk: this.bulkSize - largeBulk, largeBulk }
  }

  /** Whether the rate admits bulk mail now. */
  get admitsBulk(): boolean {
    return this.#rateWaitMsOf(true) === 0
  }

  /** Whether no message counts for the rate. */
  get isRateUnused(): boolean {
    return this.#rate?.isUnused(this.#deps.nowMs()) ?? true
  }

  /** Returns whether the rate admits the next delivery of a class so late that it should wait in the database. */
  isRateUsedUp(isBulk: boolean): boolean {
    return this.#rateWaitMsOf(isBulk) > RATE_HOLD_MS
  }

  /** Returns the milliseconds until the rate admits a delivery of a class, or 0 if it admits one now. */
  #rateWaitMsOf(isBulk: boolean): number {
    if (this.#rate === null) return 0
    const nowMs = this.#deps.nowMs()
    return isBulk ? this.#rate.bulkWaitMs(nowMs, this.#sizeOf(false)) : this.#rate.waitMs(nowMs)
  }

  /** Applies changed rules. If the rate stays the same, past messages still count. */
  reshape(rate: Rate): void {
    const isSame = rate?.count === this.#given?.count && rate?.perMs === this.#given?.perMs
    if (!isSame) this.#rate = rate === null ? null : new SiteRate(rate)
    this.#given = rate
  }

  /**
   * Adds a delivery. If twice as many of its class already wait here as the rate admits soon, or it is large and stuck
   * large ones fill their room, postpones the delivery and returns false.
   */
  add(delivery: DueDelivery, isFirst: boolean): boolean {
    const { isBulk } = delivery
    if (this.#rate !== null && this.#countOf(isBulk) >= 2 * this.#roomMax(isBulk)) {
      const aheadCount = isBulk ? this.size : this.#sizeOf(false)
      const waitMs = this.#rateWaitMsOf(isBulk) + aheadCount * this.#rate.everyMs(isBulk)
      this.#postpone(delivery, new Date(this.#deps.nowMs() + waitMs), null)
      return false
    }
    if (delivery.message === null) {
      if (this.#hasNoRoomForLarge(delivery)) {
        this.#postponeLarge(delivery)
        return false
      }
      if (this.#first.largeSize + this.#queue.largeSize === 0) this.#largeSinceMs = this.#deps.nowMs()
    }
    const queue = isFirst ? this.#first : this.#queue
    queue.add(delivery)
    if (this.isFullOf(isBulk)) this.#wasFullOf.add(isBulk)
    return true
  }

  #hasNoRoomForLarge({ teamId, isBulk }: DueDelivery): boolean {
    if (!this.isFullOfLarge(isBulk)) return false
    const isClassFull = this.#largeOf(isBulk) >= this.#deps.waitingMax(isBulk)
    return isClassFull || this.#queue.largeCountOf(teamId, isBulk) >= LARGE_OF_TEAM_MIN
  }

  /** Puts back a delivery that was taken and could not start. */
  putBack(delivery: DueDelivery): void {
    this.#queue.add(delivery)
  }

  /**
   * Removes and returns the next delivery, and counts it for the rate. Returns null if none may be taken.
   * @param mayTakeBulk if false, bulk mail stays; it also stays while its share of the rate is used up
   * @param mayTakeLarge if false, large messages stay
   */
  take(mayTakeBulk: boolean, mayTakeLarge: boolean): DueDelivery | null {
    const delivery =
      this.#first.take(true, mayTakeLarge) ?? this.#queue.take(mayTakeBulk && this.admitsBulk, mayTakeLarge)
    if (delivery === null) return null
    const nowMs = this.#deps.nowMs()
    this.#progress.record(nowMs)
    if (delivery.message === null) this.#largeProgress.record(nowMs)
    this.#rate?.record(nowMs, delivery.isBulk)
    this.#wakeIfHalfEmpty(delivery.isBulk)
    return delivery
  }

  takeAll(): DueDelivery[] {
    return [...this.#first.takeAll(), ...this.#queue.takeAll()]
  }

  /** Postpones everything to the end of the pause. */
  postponeAll(pause: Pause): void {
    const fromMs = Math.max(pause.untilMs, this.#deps.nowMs())
    for (const delivery of this.takeAll()) {
      const until = new Date(fromMs + Math.round(this.#deps.random() * POSTPONE_SPREAD_MS))
      this.#postpone(delivery, until, pause)
    }
  }

  /**
   * Postpones each delivery to about the time at which the rate admits it. Transactional mail stays if the rate admits
   * it soon: then it waits for a lane.
   */
  postponeForRate(): void {
    const nowMs = this.#deps.nowMs()
    const bulkFromMs = nowMs + this.#rateWaitMsOf(true)
    let atMs = nowMs + this.#rateWaitMsOf(false)
    const isBulkOnly = !this.isRateUsedUp(false)
    for (const delivery of isBulkOnly ? this.#queue.takeAll() : this.takeAll()) {
      if (isBulkOnly && !delivery.isBulk) {
        this.#queue.add(delivery)
        continue
      }
      if (delivery.isBulk) atMs = Math.max(atMs, bulkFromMs)
      this.#postpone(delivery, new Date(atMs), null)
      atMs += this.#rate?.everyMs(delivery.isBulk) ?? 0
    }
  }

  /** Returns the delivery to the database. `pause` is null if the reason is a limit of our own rules. */
  #postpone(delivery: DueDelivery, until: Date, pause: Pause | null): void {
    const { name, outcomes } = this.#deps
    if (pause === null) {
      const response = `The shaping rules limit the rate of mail to ${name}. The delivery waits for its turn.`
      outcomes.postponed({ kind: 'postponed', delivery, until, category: SHAPED, response })
    } else {
      const { category, reason: response } = pause
      outcomes.postponed({ kind: 'postponed', delivery, until, category, response, waitsFor: name })
    }
  }

  #postponeLarge(delivery: DueDelivery): void {
    const { name, nowMs, random, outcomes } = this.#deps
    const { isBulk } = delivery
    const now = nowMs()
    const everyMs = PROGRESS_MS / Math.max(1, this.#largeProgress.waitingMax(now, 0))
    const nextMs = Math.max((this.#largeReturnsMs.get(isBulk) ?? 0) + everyMs, now + LARGE_RETURN_MS.min)
    const atMs = Math.min(nextMs, now + LARGE_RETURN_MS.max)
    this.#largeReturnsMs.set(isBulk, atMs)
    const until = new Date(atMs + Math.round(random() * POSTPONE_SPREAD_MS))
    const response = `Other large messages to ${name} go first. The delivery waits for its turn.`
    outcomes.postponed({ kind: 'postponed', delivery, until, category: SHAPED, response })
  }

  #roomMax(isBulk: boolean): number {
    const max = Math.min(this.#deps.waitingMax(isBulk), this.#progress.waitingMax(this.#deps.nowMs()))
    return this.#rate === null ? max : Math.min(max, this.#rate.countWithin(RATE_HOLD_MS, isBulk))
  }

  /** Wakes the claim loop once the queue is half empty again, so that connections do not go idle. */
  #wakeIfHalfEmpty(isBulk: boolean): void {
    if (!this.#wasFullOf.has(isBulk) || this.#countOf(isBulk) > this.#roomMax(isBulk) / 2) return
    this.#wasFullOf.delete(isBulk)
    this.#deps.wake()
  }
}
