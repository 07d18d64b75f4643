import type { Stage } from '../../classification/stages.ts'
import { markStep } from '../../lib/email-steps.ts'
import type { DeliveryResult, DueDelivery } from '../../queue/types.ts'
import type { Delivered, MailConnection } from '../client/mail-connection.ts'
import { IdleLanes } from './idle-lanes.ts'
import { pauseReasonOf, type ReplyRequest, readReply } from './read-reply.ts'
import type { Shaping } from './shaping.ts'
import { type SiteKey, siteNameOf } from './site-key.ts'
import { type Pause, SiteThrottle } from './site-throttle.ts'
import { SiteTurns } from './site-turns.ts'
import type { SiteDeps, SiteView } from './site-types.ts'
import { RATE_HOLD_MS, SiteWaiting } from './site-waiting.ts'

const IDLE_MS = 30_000
/**
 * An address may be suppressed, or a campaign paused, while mail waits for a slow site, so check again after this time. With the
 * time that an answer takes it is less than a second.
 */
const CHECK_AGAIN_MS = 700
/** A site that failed and got no mail since is forgotten after this time. */
const FAILURE_MEMORY_MS = 60 * 60_000
/** Consecutive links lost before the end of a message after which the site counts as unreachable. */
const LOSSES_MAX = 3

/**
 * One MX set, as seen from one source: its connections, its waiting deliveries, and its throttle (site-throttle.ts). A
 * *lane* is a loop that runs one connection. While the site is open, each lane takes the next delivery of the team
 * whose turn it is; one lane is reserved for transactional mail. Until a host has answered, a single lane connects, and
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
  /** The lanes that are sending bulk mail. */
  #bulkLanes = 0
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
    this.#waiting = new SiteWaiting({ ...deps, name: this.#name, nowMs }, shaping.rate)
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

  /** Returns whether the site accepts more mail of a class now. While it is probed, it accepts a single delivery. */
  accepts(isBulk: boolean): boolean {
    if (this.#throttle.isShut || this.#draining) return false
    if (this.isProbing) return this.#waiting.size === 0 && this.#lanes === 0 && this.#mayProbe
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

  /** Starts no more deliveries, and waits until all lanes have ended. Returns the deliveries that never started. */
  async drain(): Promise<DueDelivery[]> {
    this.#draining = true
    this.#idle.endAll()
    while (this.#lanes > 0) await new Promise<void>((resolve) => this.#whenLaneEnds.push(resolve))
    return this.#waiting.takeAll()
  }
  readonly #whenLaneEnds: (() => void)[] = []

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

  get #isRelay(): boolean {
    return this.#key.relay !== null
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
    // One lane is enough until a host has answered, and while the rate admits nothing.
    const limit = this.#answers && this.#waiting.rateWaitMs === 0 ? this.#throttle.limit : 1
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

  /**
   * The number of lanes that may still start bulk mail. One lane is reserved for transactional mail, so that it never
   * waits until a bulk message, perhaps a large one to a slow server, is sent. A site that allows a single connection
   * has no such lane.
   */
  get #bulkLanesLeft(): number {
    const { limit } = this.#throttle
    return Math.max(0, Math.max(1, limit - 1) - this.#bulkLanes)
  }

  /** The number of waiting deliveries that lanes may take now, or soon: one lane waits until the rate admits bulk mail. */
  get #takeableCount(): number {
    const { size, bulkSize } = this.#waiting
    const bulkMax = this.#waiting.admitsBulk ? this.#bulkLanesLeft : Math.min(1, this.#bulkLanesLeft)
    return size - bulkSize + Math.min(bulkSize, bulkMax)
  }

  /** Runs one lane: sends one delivery after another, idles for a while, then closes the connection. */
  async #runLane(): Promise<void> {
    let connection: MailConnection | null = null
    let isMyTurn = false
    while (!this.#draining && !this.#throttle.isShut && this.#lanes <= this.#throttle.limit) {
      const { rateWaitMs } = this.#waiting
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
      const delivery = this.#waiting.take(this.#bulkLanesLeft > 0)
      if (delivery === null) {
        if (connection?.usable !== true || !(await this.#idle.wait(IDLE_MS))) break
        continue
      }
      markStep(delivery.emailId, 'taken')
      if (delivery.leasedUntilMs <= this.#nowMs()) this.#deps.outcomes.dropped(delivery)
      else connection = await this.#serve(delivery, connection)
    }
    this.#close(connection)
  }

  /** Delivers on the current connection or a new one. Returns the connection to continue with. */
  async #serve(delivery: DueDelivery, connection: MailConnection | null): Promise<MailConnection | null> {
    if (delivery.isBulk) this.#bulkLanes++
    let remaining = connection
    try {
      const waitedMs = this.#nowMs() - delivery.checkedAtMs
      const withdrawal = waitedMs > CHECK_AGAIN_MS ? await this.#deps.findWithdrawal(delivery) : null
      if (withdrawal !== null) {
        this.#deps.outcomes.withdrawn(delivery, withdrawal)
        return connection
      }
      // If it fails, it has closed the connection.
      remaining = null
      return await this.#deliver(delivery, connection)
    } catch (error) {
      this.#deps.outcomes.interrupted(delivery, error)
      return remaining
    } finally {
      if (delivery.isBulk) this.#bulkLanes--
    }
  }

  async #deliver(delivery: DueDelivery, connection: MailConnection | null): Promise<MailConnection | null> {
    let open = connection
    if (open !== null && !open.usable) {
      this.#isProven = false
      this.#close(open)
      open = null
    }
    open ??= await this.#open(delivery)
    if (open === null) return null
    const current = open
    const attempt = await current.deliver(delivery).catch((error: unknown) => {
      this.#close(current)
      throw error
    })
    if (attempt.stale && connection !== null) {
      this.#isProven = false
      this.#close(current)
      return this.#deliver(delivery, null)
    }
    this.#deps.outcomes.settled({ kind: 'attempted', result: attempt.result, isRelay: this.#isRelay })
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
    const ended = opening.then(
      () => {},
      () => {},
    )
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
    const report = { kind: 'attempted', result, isRelay: this.#isRelay, isUnreached: true } as const
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
