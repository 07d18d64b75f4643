import type { Stage } from '../../classification/stages.ts'
import { markStep } from '../../lib/email-steps.ts'
import type { DeliveryResult, DueDelivery } from '../../queue/types.ts'
import type { Delivered, MailConnection } from '../client/mail-connection.ts'
import { BusyLanes } from './busy-lanes.ts'
import { IdleLanes } from './idle-lanes.ts'
import { deliverInTime, mayStart } from './may-start.ts'
import { pauseReasonOf, type ReplyRequest, readReply } from './read-reply.ts'
import type { Shaping } from './shaping.ts'
import { type SiteKey, siteNameOf } from './site-key.ts'
import { type Pause, SiteThrottle } from './site-throttle.ts'
import { SiteTurns } from './site-turns.ts'
import type { SiteDeps, SiteView } from './site-types.ts'
import { RATE_HOLD_MS, SiteWaiting } from './site-waiting.ts'

const IDLE_MS = 30_000
/** A site that failed and got no mail since is forgotten after this time. */
const FAILURE_MEMORY_MS = 60 * 60_000
/** Consecutive links lost before the end of a message after which the site counts as unreachable. */
const LOSSES_MAX = 3

/**
 * One MX set, as seen from one source: its connections, its waiting deliveries, and its throttle (site-throttle.ts). A
 * *lane* is a loop that runs one connection. While the site is open, each lane takes the next delivery of the team
 * whose turn it is; some lanes are reserved (busy-lanes.ts). Until a host has answered, one lane connects at a time, and
 * the others follow when its connection is established. While the site is paused, its waiting deliveries are postponed
 * in the database to the end of the pause, with the reason, and claims skip the site.
 */
export class Site {
  readonly #key: SiteKey
  readonly #name: string
  readonly #deps: SiteDeps
  readonly #waiting: SiteWaiting
  readonly #idle = new IdleLanes()
  readonly #turns: SiteTurns
  readonly #throttle: SiteThrottle
  #shaping: Shaping
  #lanes = 0
  readonly #busy = new BusyLanes()
  #connections = 0
  #losses = 0
  /** Whether the latest event on its hosts is an established connection. */
  #isProven = false
  #opening: Promise<unknown> | null = null
  #draining = false

  constructor(key: SiteKey, shaping: Shaping, deps: SiteDeps) {
    this.#key = key
    this.#name = siteNameOf(key)
    this.#deps = deps
    this.#shaping = shaping
    const nowMs = () => this.#nowMs()
    const mayTakeLarge = () => this.#largeLanesLeft > 0
    this.#waiting = new SiteWaiting({ ...deps, name: this.#name, nowMs, mayTakeLarge }, shaping.rate)
    this.#turns = new SiteTurns(deps.slicer, this.#waiting)
    this.#throttle = new SiteThrottle({ nowMs, random: deps.random, probesMs: deps.probesMs }, shaping)
    const throttle = deps.board.known(this.#name)
    if (throttle !== null) this.adopt(throttle)
  }

  /** Whether the site has no work. */
  get isIdle(): boolean {
    return this.#lanes === 0 && this.#waiting.size === 0
  }

  /** Whether the site is idle and has no state worth keeping. */
  get isForgettable(): boolean {
    if (!this.isIdle || !this.#waiting.isRateUnused) return false
    const { pause } = this.#throttle
    return pause === null || this.#nowMs() > pause.untilMs + FAILURE_MEMORY_MS
  }

  get isShut(): boolean {
    return this.#throttle.isShut
  }

  /** Whether the site accepts no mail of a class for now, for a reason other than lack of room in this process. */
  isClosedTo(isBulk: boolean): boolean {
    return this.#throttle.isShut || this.isProbing || this.#draining || this.#waiting.isRateUsedUp(isBulk)
  }

  get isProbing(): boolean {
    return this.#throttle.state === 'probing'
  }

  /**
   * Returns whether the site accepts more mail of a class now; with `isLarge`, a large message. While it is probed, it
   * accepts a single delivery.
   */
  accepts(isBulk: boolean, isLarge = false): boolean {
    if (this.#throttle.isShut || this.#draining) return false
    if (this.isProbing) return this.#waiting.size === 0 && this.#lanes === 0 && this.#mayProbe
    if (isLarge && this.#waiting.isFullOfLarge(isBulk)) return false
    return !this.isFullOf(isBulk) && !this.#waiting.isRateUsedUp(isBulk)
  }

  isFullOf(isBulk: boolean): boolean {
    return this.#waiting.isFullOf(isBulk)
  }

  get view(): SiteView {
    return {
      state: this.#throttle.state,
      connections: this.#connections,
      limit: this.#throttle.limit,
      limitMax: this.#shaping.connectionsMax,
      waiting: this.#waiting.size,
      pause: this.#throttle.pause,
      shaping: this.#shaping,
    }
  }

  add(delivery: DueDelivery): void {
    if (!this.#waiting.add(delivery, this.#deps.isFirst(delivery))) return
    if (this.#throttle.isShut || (this.isProbing && this.#lanes === 0 && !this.#mayProbe)) this.#postponeAll()
    else this.#pump()
  }

  /** Starts no more deliveries, and waits until all lanes have ended. */
  async drain(): Promise<void> {
    this.#draining = true
    this.#idle.endAll()
    while (this.#lanes > 0) await new Promise<void>((resolve) => this.#whenLaneEnds.push(resolve))
  }
  readonly #whenLaneEnds: (() => void)[] = []

  /** Takes what waits here. While the site drains, this is what never starts. */
  readonly takeWaiting = (): DueDelivery[] => this.#waiting.takeAll()

  /** Applies changed rules. Messages in progress continue. */
  reshape(shaping: Shaping): void {
    this.#waiting.reshape(shaping.rate)
    this.#shaping = shaping
    this.#throttle.reshape(shaping)
    this.#pump()
  }

  /** Takes over another process's pause. */
  adopt(pause: Pause): void {
    this.#throttle.adopt(pause)
    if (this.#throttle.isShut) this.#shut()
  }

  /** Resumes on an operator's request, or because another process got a reply. */
  resume(): void {
    this.#throttle.resume()
    this.#pump()
  }

  /** Whether its hosts are known to answer: a connection was established, and none has been lost since. */
  get #answers(): boolean {
    return this.#isProven && this.#connections > 0
  }

  /** Whether this process is the one that may probe the site. */
  get #mayProbe(): boolean {
    return this.#deps.board.mayProbe(this.#name)
  }

  #nowMs(): number {
    return this.#deps.clock.now().getTime()
  }

  #pump(): void {
    if (this.#throttle.isShut || this.#draining) return
    let lanesNeeded = this.#takeableCount
    if (this.#idle.size === 0) this.#turns.advance()
    while (lanesNeeded > 0 && this.#idle.size > 0) {
      this.#idle.wakeOne()
      lanesNeeded--
    }
    const isReady = this.#answers && this.#waiting.rateWaitMs(this.#largeLanesLeft > 0) === 0
    // Until a host has answered, and while the rate admits nothing, one lane is enough. Lanes with large messages may wait
    // too long to be that one.
    const lanesMax = isReady ? this.#lanes + lanesNeeded : this.#busy.large + 1
    const limit = Math.min(this.#throttle.limit, lanesMax)
    while (lanesNeeded > 0 && this.#lanes < limit) {
      this.#lanes++
      lanesNeeded--
      void this.#runLane().finally(() => {
        this.#lanes--
        for (const resolve of this.#whenLaneEnds.splice(0)) resolve()
        if (this.#takeableCount > 0) this.#pump()
      })
    }
  }

  get #bulkLanesLeft(): number {
    return this.#busy.bulkLeft(this.#throttle.limit)
  }

  get #largeLanesLeft(): number {
    return this.#busy.largeLeft(this.#throttle.limit)
  }

  /** The number of waiting deliveries that lanes may take now, or soon. */
  get #takeableCount(): number {
    return this.#waiting.takeableCount(this.#bulkLanesLeft, this.#largeLanesLeft)
  }

  /** Runs one lane: sends one delivery after another, idles for a while, then closes the connection. */
  async #runLane(): Promise<void> {
    let connection: MailConnection | null = null
    let isMyTurn = false
    while (!this.#draining && !this.#throttle.isShut && this.#lanes <= this.#throttle.limit) {
      const rateWaitMs = this.#waiting.rateWaitMs(this.#largeLanesLeft > 0)
      if (rateWaitMs > 0) {
        if (rateWaitMs > RATE_HOLD_MS) this.#waiting.postponeForRate()
        else await this.#idle.wait(rateWaitMs)
        continue
      }
      if (!isMyTurn && this.#takeableCount > 0) {
        await this.#turns.wait()
        isMyTurn = true
        continue
      }
      isMyTurn = false
      const delivery = this.#waiting.take(this.#bulkLanesLeft > 0, this.#largeLanesLeft > 0)
      if (delivery === null) {
        if (connection?.usable !== true || !(await this.#idle.wait(IDLE_MS))) break
        continue
      }
      markStep(delivery.emailId, 'taken')
      connection = await this.#serve(delivery, connection)
      // A large bulk message may leave room for two: a bulk one and a large one. This lane takes only one of them.
      if (delivery.message === null && this.#takeableCount > 1) this.#pump()
    }
    this.#close(connection)
  }

  /** Delivers on the current connection or a new one. Returns the connection to continue with. */
  async #serve(delivery: DueDelivery, connection: MailConnection | null): Promise<MailConnection | null> {
    this.#busy.begin(delivery)
    let remaining = connection
    try {
      const isWanted = mayStart(this.#deps, delivery)
      if (isWanted !== true && !(await isWanted)) return connection
      // If it fails, it has closed the connection.
      remaining = null
      return await this.#deliver(delivery, connection)
    } catch (error) {
      this.#deps.outcomes.interrupted(delivery, error)
      return remaining
    } finally {
      this.#busy.end(delivery)
    }
  }

  async #deliver(
    delivery: DueDelivery,
    connection: MailConnection | null,
    isAgain = false,
  ): Promise<MailConnection | null> {
    let open = connection
    if (open !== null && !open.usable) {
      this.#isProven = false
      this.#close(open)
      open = null
    }
    open ??= await this.#open(delivery)
    if (open === null) return null
    const current = open
    const isNew = current !== connection
    const attempt = await deliverInTime(this.#deps, delivery, current, isNew).catch((error: unknown) => {
      this.#close(current)
      throw error
    })
    if (attempt === null) return current
    if (attempt.stale && !isAgain) {
      this.#isProven = false
      this.#close(current)
      return this.#deliver(delivery, null, true)
    }
    this.#deps.outcomes.settled({
      kind: 'attempted',
      result: attempt.result,
      isRelay: this.#key.relay !== null,
    })
    if (attempt.decidedBy === 'reply') this.#applyReply(attempt)
    else if (attempt.decidedBy === 'loss') this.#lose(attempt.result, attempt.stage)
    // A probe must send something: the site waits for the next one.
    else if (this.isProbing) {
      this.#close(current)
      return null
    }
    if (current.sentCount < this.#shaping.messagesPerConnection) return current
    this.#close(current)
    return null
  }

  /**
   * Returns a connection, or null if the delivery went elsewhere. While it is unknown whether the hosts answer, only
   * one lane at a time connects.
   */
  async #open(delivery: DueDelivery): Promise<MailConnection | null> {
    while (this.#opening !== null && !this.#answers) await this.#opening
    if (this.#throttle.isShut || this.#draining) {
      this.#waiting.putBack(delivery)
      if (!this.#draining) this.#postponeAll()
      return null
    }
    const opening = this.#deps.open(this.#key, delivery)
    const ended = opening.catch(() => {})
    this.#opening = ended
    const outcome = await opening.finally(() => {
      if (this.#opening === ended) this.#opening = null
    })
    if ('connection' in outcome) {
      this.#connections++
      this.#isProven = true
      if (this.#waiting.size > 0) this.#pump()
      return outcome.connection
    }
    if (!outcome.hostsDown) this.#failOver(outcome.failed)
    else {
      this.#isProven = false
      this.#fail(delivery, outcome.failed, outcome.stage)
    }
    return null
  }

  #close(connection: MailConnection | null): void {
    if (connection === null) return
    this.#connections--
    connection.close()
  }

  /** Applies the effect of a reply on the site, whatever it means for the recipient. */
  #applyReply({ result, stage, slowDown }: Delivered): void {
    this.#losses = 0
    const request = readReply(this.#shaping, result, stage, slowDown)
    if (request.kind !== 'nothing') this.#throttle.slowDown(result.startedAt.getTime())
    if (request.kind === 'pause') return void this.#pause(request)
    if (request.kind === 'nothing') this.#throttle.succeed()
    if (this.#throttle.endProbe()) this.#deps.board.answered(this.#name)
    if (this.#waiting.size > 0) this.#pump()
  }

  /** A dropped connection is not a reply: it fails a probe, and repeated drops fail the site. */
  #lose(result: DeliveryResult, stage: Stage): void {
    this.#isProven = false
    if (stage !== 'dot') this.#losses++
    if (this.#throttle.isShut || !(this.isProbing || this.#losses >= LOSSES_MAX)) return
    this.#announce(this.#throttle.fail(result.verdict.category, pauseReasonOf(result), null))
  }

  /**
   * Handles a delivery for which no connection could be opened. Pauses the site if the reply requests it. If other
   * connections are open, caps the limit at their number, and the delivery waits for them. Otherwise pauses the site as
   * unreachable.
   */
  #fail(delivery: DueDelivery, failed: DeliveryResult, stage: Stage): void {
    const request = readReply(this.#shaping, failed, stage, false)
    if (request.kind === 'pause') this.#pause(request)
    else if (this.#connections > 0 && !this.#throttle.isShut) {
      this.#throttle.capAt(this.#connections)
      this.#isProven = true
      this.#waiting.putBack(delivery)
      return
    } else if (!this.#throttle.isShut) {
      const { category, retryAfterMs } = failed.verdict
      this.#announce(this.#throttle.fail(category, pauseReasonOf(failed), retryAfterMs))
    }
    this.#failOver(failed)
  }

  #pause({ state, ms, category, reason }: Extract<ReplyRequest, { kind: 'pause' }>): void {
    this.#announce(this.#throttle.shut(state, ms, category, reason))
  }

  #announce(pause: Pause): void {
    this.#deps.board.paused(this.#name, pause)
    this.#shut()
  }

  /**
   * Reports an attempt for which no connection was opened. If the site is down, its next attempt may be hours away, but
   * it becomes due with the others when the site answers again.
   */
  #failOver(result: DeliveryResult): void {
    const report = {
      kind: 'attempted',
      result,
      isRelay: this.#key.relay !== null,
      isUnreached: true,
    } as const
    this.#deps.outcomes.settled(this.isShut ? { ...report, waitsFor: this.#name } : report)
  }

  #shut(): void {
    this.#postponeAll()
    this.#idle.endAll()
  }

  #postponeAll(): void {
    const { pause } = this.#throttle
    if (pause !== null) this.#waiting.postponeAll(pause)
  }
}
