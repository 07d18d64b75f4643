import { retryDelayMs } from '../base/backoff.ts'
import type { Clock } from '../base/clock.ts'
import type { DeliveryResult, DueDelivery, Verdict } from '../queue/types.ts'
import { FairQueue } from './fair-queue.ts'

/** An open connection to one of a site's hosts. */
export interface MailConnection {
  /** One recipient's transaction. Whatever the other side does is a result; rejects for faults of ours alone. */
  deliver(delivery: DueDelivery): Promise<Delivered>
  /** False once the server or the link has ended it. */
  readonly usable: boolean
  /** Messages sent so far. */
  readonly sentCount: number
  close(): void
}

export interface Delivered {
  result: DeliveryResult
  /** True when an idle connection turned out to be dead before anything was said: try again on a fresh one. */
  stale: boolean
  /** True when the server asks for less (421, 4.7.x). */
  slowDown: boolean
}

/** Opening either gives a connection or the result of the try for the delivery that asked for it. */
export type Opened = { connection: MailConnection } | { failed: DeliveryResult; hostsDown: boolean }

export interface SiteDeps {
  name: string
  clock: Clock
  /** Waits of the pauses after failures, milliseconds. */
  retryScheduleMs: readonly number[]
  random: () => number
  open(delivery: DueDelivery): Promise<Opened>
  report(result: DeliveryResult): void
  /** No host of the site could be talked to; it may go another way. */
  failOver(delivery: DueDelivery, failed: DeliveryResult): void
  /** A fault of ours (the content could not be loaded, say): the delivery is not this site's any more. */
  giveUp(delivery: DueDelivery, error: unknown): void
  /** Asks again whether its address is suppressed by now; true when it is, and it is not this site's any more. */
  withdraw(delivery: DueDelivery): Promise<boolean>
  /** Its lease ran out unnoticed (the database was away): it is somebody else's to send. */
  drop(delivery: DueDelivery): void
  postpone(delivery: DueDelivery, until: Date, verdict: Verdict, response: string | null): void
  /** How many may wait for it now. Less and less while others hold much: no few slow sites take all the memory. */
  waitingMax(): number
  /** It was full, and takes more again. */
  wake(): void
}

const CONNECTIONS_START = 2
const CONNECTIONS_MAX = 20
const MESSAGES_PER_CONNECTION_MAX = 100
const IDLE_MS = 30_000
/** An address may be suppressed while its mail waits for a slow site: after this it is looked up again. */
const CHECK_AGAIN_MS = 3000
/** A site that failed and had no mail since is forgotten after this. */
const FAILURE_MEMORY_MS = 60 * 60_000
/** A pause never outlasts this, so that a site that is back is noticed. */
const PAUSE_MAX_MS = 30 * 60_000

/**
 * One MX set: its connections, its limit, its mood. States:
 * - *open*: up to `limit` connections, each taking the next delivery of the team whose turn it is. The limit starts at
 *   2, grows by one with each success up to 20, and is halved when the server asks for less.
 * - *paused* until a time: no host answered, or a reply asked for it. What waits is postponed to that time in the
 *   database, with the reason; claims skip the site.
 * - *probing*, after a pause: one delivery alone is tried. Success opens the site, failure pauses it for longer.
 */
export class Site {
  readonly #deps: SiteDeps
  readonly #queue = new FairQueue<DueDelivery>()
  readonly #idle: ((wake: boolean) => void)[] = []
  #lanes = 0
  #limit = CONNECTIONS_START
  #failures = 0
  #pausedUntilMs = 0
  #pause: { verdict: Verdict; response: string | null } | null = null
  #draining = false
  #wasFull = false

  constructor(deps: SiteDeps) {
    this.#deps = deps
  }

  /** Nothing to do and nothing worth remembering. */
  get isForgettable(): boolean {
    if (this.#lanes > 0 || this.#queue.size > 0) return false
    return this.#failures === 0 || this.#deps.clock.now().getTime() > this.#pausedUntilMs + FAILURE_MEMORY_MS
  }

  get #isPaused(): boolean {
    return this.#deps.clock.now().getTime() < this.#pausedUntilMs
  }

  get #isProbing(): boolean {
    return this.#failures > 0 && !this.#isPaused
  }

  /** Whether more may be claimed for it now. A probe is one delivery. */
  get accepts(): boolean {
    if (this.#isPaused || this.#draining) return false
    if (this.#isProbing) return this.#queue.size === 0 && this.#lanes === 0
    return !this.#isFull
  }

  get #isFull(): boolean {
    return this.#queue.size >= this.#deps.waitingMax()
  }

  add(delivery: DueDelivery): void {
    this.#queue.add(delivery)
    this.#wasFull ||= this.#isFull
    if (this.#isPaused) this.#postponeAll()
    else this.#pump()
  }

  /** Begins nothing more; resolves when no lane is left. Returns what was never begun. */
  async drain(): Promise<DueDelivery[]> {
    this.#draining = true
    const unbegun = this.#queue.takeAll()
    for (const wake of this.#idle.splice(0)) wake(false)
    while (this.#lanes > 0) await new Promise<void>((resolve) => this.#whenLaneEnds.push(resolve))
    return unbegun
  }
  readonly #whenLaneEnds: (() => void)[] = []

  #pump(): void {
    let needed = this.#queue.size
    while (needed > 0 && this.#idle.length > 0) {
      this.#idle.pop()?.(true)
      needed--
    }
    const limit = this.#isProbing ? 1 : this.#limit
    while (needed > 0 && this.#lanes < limit) {
      this.#lanes++
      needed--
      void this.#runLane().finally(() => {
        this.#lanes--
        for (const resolve of this.#whenLaneEnds.splice(0)) resolve()
        if (this.#queue.size > 0 && !this.#isPaused && !this.#draining) this.#pump()
      })
    }
  }

  /** One connection's life: deliveries one after the other, then idle for a while, then closed. */
  async #runLane(): Promise<void> {
    let connection: MailConnection | null = null
    while (!this.#draining && !this.#isPaused && this.#lanes <= Math.max(1, this.#limit)) {
      const delivery = this.#queue.take()
      if (delivery === null) {
        if (connection?.usable !== true || !(await this.#waitForWork())) break
        continue
      }
      this.#noteRoom()
      if (delivery.leasedUntilMs <= this.#deps.clock.now().getTime()) this.#deps.drop(delivery)
      else connection = await this.#serve(delivery, connection)
    }
    connection?.close()
  }

  /** Half empty again: claims may go on before the rest is sent, or its connections would stand idle meanwhile. */
  #noteRoom(): void {
    if (!this.#wasFull || this.#queue.size > this.#deps.waitingMax() / 2) return
    this.#wasFull = false
    this.#deps.wake()
  }

  /** Delivers on the connection at hand or a fresh one; returns the connection to go on with. */
  async #serve(delivery: DueDelivery, connection: MailConnection | null): Promise<MailConnection | null> {
    try {
      const waitedMs = this.#deps.clock.now().getTime() - delivery.checkedAtMs
      if (waitedMs > CHECK_AGAIN_MS && (await this.#deps.withdraw(delivery))) return connection
      return await this.#deliver(delivery, connection)
    } catch (error) {
      this.#deps.giveUp(delivery, error)
      return null
    }
  }

  async #deliver(delivery: DueDelivery, connection: MailConnection | null): Promise<MailConnection | null> {
    let open = connection
    if (open !== null && (!open.usable || open.sentCount >= MESSAGES_PER_CONNECTION_MAX)) {
      open.close()
      open = null
    }
    if (open === null) {
      const opened = await this.#deps.open(delivery)
      if ('failed' in opened) {
        if (opened.hostsDown) this.#fail(opened.failed)
        this.#deps.failOver(delivery, opened.failed)
        return null
      }
      open = opened.connection
    }
    const fresh = open
    const { result, stale, slowDown } = await fresh.deliver(delivery).catch((error: unknown) => {
      fresh.close()
      throw error
    })
    if (stale && connection !== null) {
      open.close()
      return this.#deliver(delivery, null)
    }
    this.#deps.report(result)
    if (slowDown) this.#slowDown(result)
    else this.#succeed()
    return open
  }

  async #waitForWork(): Promise<boolean> {
    if (this.#draining) return false
    return new Promise<boolean>((resolve) => {
      const wake = (isWork: boolean) => {
        clearTimeout(timer)
        resolve(isWork)
      }
      const timer = setTimeout(() => {
        this.#idle.splice(this.#idle.indexOf(wake), 1)
        resolve(false)
      }, IDLE_MS)
      this.#idle.push(wake)
    })
  }

  /** The site answered, whatever it said of the recipient. */
  #succeed(): void {
    const wasProbing = this.#failures > 0
    this.#failures = 0
    this.#pause = null
    if (this.#limit < CONNECTIONS_MAX) this.#limit++
    if (wasProbing || this.#queue.size > 0) this.#pump()
  }

  #slowDown(result: DeliveryResult): void {
    this.#limit = Math.max(1, Math.floor(this.#limit / 2))
    if (result.verdict.retryAfterMs !== null) this.#pauseFor(result.verdict.retryAfterMs, result)
  }

  #fail(result: DeliveryResult): void {
    if (this.#isPaused) return
    this.#failures++
    this.#limit = CONNECTIONS_START
    const waitMs = retryDelayMs(this.#deps.retryScheduleMs, this.#failures, this.#deps.random)
    this.#pauseFor(Math.min(waitMs, PAUSE_MAX_MS), result)
  }

  #pauseFor(ms: number, result: DeliveryResult): void {
    this.#failures = Math.max(1, this.#failures)
    this.#pausedUntilMs = this.#deps.clock.now().getTime() + ms
    this.#pause = { verdict: result.verdict, response: result.response }
    this.#postponeAll()
    for (const wake of this.#idle.splice(0)) wake(false)
  }

  #postponeAll(): void {
    const pause = this.#pause
    if (pause === null) return
    for (const delivery of this.#queue.takeAll()) {
      // Spread over a few seconds, so that the first of them can be the probe.
      const until = new Date(this.#pausedUntilMs + Math.round(this.#deps.random() * POSTPONE_SPREAD_MS))
      this.#deps.postpone(delivery, until, pause.verdict, pause.response)
    }
  }
}

const POSTPONE_SPREAD_MS = 3000
