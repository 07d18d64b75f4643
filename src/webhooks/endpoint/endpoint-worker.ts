import { newId } from '../../lib/ids.ts'
import { Attempts, type AttemptsDeps, type Done } from './attempts.ts'
import { DueQueue } from './due-queue.ts'
import { type EndpointHealth, SENDING_MAX } from './endpoint-health.ts'
import type { Endpoint, EndpointKey } from './endpoint-workers-queries.ts'
import { FeedReader } from './feed-reader.ts'
import { Outbox } from './outbox.ts'
import type { TeamFeeds } from './team-feeds.ts'
import type { Slot } from './window.ts'
import type { WorkerBudget } from './worker-budget.ts'
import { type DueSend, hasRetries, type WorkerResults } from './worker-types.ts'

export interface EndpointWorkerDeps extends AttemptsDeps {
  feeds: TeamFeeds
  budget: WorkerBudget
  /** Results are ready to be written. */
  onResult(worker: EndpointWorker): void
  /** The engine should check this worker again. */
  wake(): void
}

/** A successful endpoint reads more events at a time. One that hangs holds few in memory. */
const FIRST_READ_COUNT = 8
const READ_COUNT_MAX = 100
/** How long a released worker keeps sending overtaken events, so that the release causes no repeats. */
const FILL_MS = 10_000

/**
 * Processes one leased endpoint, alternating between its team's feed and its retries. States: *open*, and *closing*,
 * which starts no requests and is quiet once its requests have ended and their results are written. A worker that is
 * handed over (its time is up, or the process stops) first sends the events between those already sent, because only
 * a position records what was attempted. A worker whose lease was lost, or whose endpoint was changed or disabled,
 * does not. While the endpoint fails, one request is on the wire at a time: retries when they are due, and feed
 * events ever less often (endpoint-health.ts).
 */
export class EndpointWorker {
  readonly heldSinceMs = performance.now()
  #endpoint: Endpoint
  readonly #attempts: Attempts
  readonly #deps: EndpointWorkerDeps
  readonly #feed: FeedReader
  readonly #due: DueQueue
  readonly #outbox: Outbox
  #sendingCount = 0
  #isClosing = false
  #isDead = false
  #fillUntilMs = 0
  #sendUntilMs: number
  #idleSinceMs: number | null = null
  #wasDue = false

  /** @param sendUntilMs the time until which requests may start (performance.now), unless extended */
  constructor(endpoint: Endpoint, sendUntilMs: number, deps: EndpointWorkerDeps) {
    this.#deps = deps
    this.#endpoint = endpoint
    this.#sendUntilMs = sendUntilMs
    this.#feed = new FeedReader(endpoint, deps.feeds)
    this.#due = new DueQueue(endpoint.nextRetryAt)
    this.#outbox = new Outbox(deps.budget)
    this.#attempts = new Attempts(endpoint, deps)
  }

  get key(): EndpointKey {
    return this.#endpoint
  }

  get updatedAt(): Date {
    return this.#endpoint.updatedAt
  }

  get health(): EndpointHealth {
    return this.#attempts.health
  }

  /**
   * The position from which another process may continue; 0 while results are being written, because they have left the
   * window, and their events would be sent no more if the results were lost.
   */
  get recordedPosition(): number {
    return this.#outbox.isWriting ? 0 : this.#feed.window.position
  }

  /** Whether no request is on the wire and everything is written. */
  get isQuiet(): boolean {
    return (
      this.#sendingCount === 0 &&
      this.#outbox.isEmpty &&
      !this.#feed.window.hasResults &&
      !(this.#isFilling && this.#feed.window.hasGap)
    )
  }

  get isClosing(): boolean {
    return this.#isClosing
  }

  /** Returns whether due deliveries should be loaded. Earlier ones are already written. */
  wantsDue(now: Date): boolean {
    const { loadAt } = this.#due
    return !this.#isClosing && loadAt !== null && loadAt <= now
  }

  /** The time of the next action, or null if none is scheduled. */
  get nextAtMs(): number | null {
    if (this.#isClosing || !this.isQuiet) return null
    const probeMs = this.#feed.hasMore ? (this.probeAt?.getTime() ?? null) : null
    const retryMs = this.#due.loadAt?.getTime() ?? null
    return probeMs === null || retryMs === null ? (probeMs ?? retryMs) : Math.min(probeMs, retryMs)
  }

  /** Returns whether the worker has nothing to do before `time`. */
  restsUntil(time: Date): boolean {
    const { probeAt } = this
    const hasRetry = !this.#due.isEmpty || this.wantsDue(time)
    return probeAt !== null && probeAt > time && !hasRetry
  }

  /** When the worker became idle (performance.now); null while it is busy. */
  get idleSinceMs(): number | null {
    const isIdle = this.isQuiet && this.#due.isEmpty && !this.#feed.hasMore
    if (!isIdle) this.#idleSinceMs = null
    else this.#idleSinceMs ??= performance.now()
    return this.#idleSinceMs
  }

  /** The time before which no feed event is attempted; null for no wait. */
  get probeAt(): Date | null {
    return this.health.probeAt
  }

  extend(sendUntilMs: number): void {
    this.#sendUntilMs = sendUntilMs
  }

  /** Records the end of the feed: events up to `feedEnd` are committed. */
  see(feedEnd: number, nextRetryAt: Date | null): void {
    this.#feed.see(feedEnd)
    this.#due.see(nextRetryAt)
  }

  /** Applies the owner's change to everything that is not sent yet. */
  change(endpoint: Endpoint): void {
    this.#attempts.change(endpoint)
    this.#feed.change(endpoint)
    this.#endpoint = endpoint
    // Events that are no longer wanted leave the window with the results. There may be no other reason to write.
    if (this.#feed.window.hasResults) this.#deps.onResult(this)
  }

  giveDue(sends: readonly DueSend[]): void {
    this.#due.give(sends)
  }

  /** Stops starting requests. */
  close(): void {
    this.#isClosing = true
    this.#fillUntilMs = 0
    this.#due.clear()
  }

  /** Finishes the worker so that another process can continue. */
  handOver(): void {
    if (this.#isClosing) return
    this.close()
    this.#fillUntilMs = performance.now() + FILL_MS
    this.pump()
  }

  /** Ends a worker that is quiet, or whose results are no longer needed. */
  end(): void {
    this.#isDead = true
    this.close()
    this.#outbox.forget()
    this.#attempts.close()
    this.#feed.leave()
  }

  /** Sends as much as currently allowed, then reads more events. */
  pump(): void {
    while (this.#maySend()) {
      const sending = this.#begin()
      if (sending === null) break
      const isExtra = this.#sendingCount > 0
      if (isExtra) this.#deps.budget.takeExtra()
      this.#sendingCount++
      void sending.finally(() => {
        this.#sendingCount--
        if (isExtra) this.#deps.budget.giveBackExtra()
        this.pump()
      })
    }
    void this.#readOn()
  }

  /** Returns the results to write now, or null. The caller must call `written`. */
  takeResults(): WorkerResults | null {
    return this.#outbox.take(this.#endpoint, this.#feed.window, this.health)
  }

  /** Marks results as written, or (`isKept` false) as void because another process has leased the endpoint. */
  written(results: WorkerResults, isKept: boolean): void {
    this.#outbox.written(results)
    this.#due.written(results.later.map(({ id }) => id))
    if (!isKept) this.close()
    // Only the database knows what is due next.
    if (this.#isClosing || this.health.failingSince !== null || hasRetries(results)) this.#deps.wake()
    this.pump()
  }

  #maySend(): boolean {
    if (this.#isClosing && !this.#isFilling) return false
    if (performance.now() > this.#sendUntilMs) return false
    if (this.#deps.budget.isFull || this.#sendingCount >= this.health.sendingMax) return false
    return this.#sendingCount === 0 || this.#deps.budget.hasExtra
  }

  get #isFilling(): boolean {
    return this.#fillUntilMs > performance.now() && !this.health.isFailing
  }

  /**
   * Starts a request, alternating between retries and new events so that neither delays the other. Returns null if
   * nothing may be sent.
   */
  #begin(): Promise<void> | null {
    const first = this.#wasDue ? this.#beginEvent() : this.#beginDue()
    return first ?? (this.#wasDue ? this.#beginDue() : this.#beginEvent())
  }

  #beginEvent(): Promise<void> | null {
    if (!this.health.mayProbe(this.#deps.clock.now())) return null
    const slot = this.#feed.window.takeNext(this.#isClosing)
    if (slot === null) return null
    this.#wasDue = false
    return this.#sendEvent(slot)
  }

  /** Retries use at most half of the concurrent requests, because they may hang until they time out. */
  #beginDue(): Promise<void> | null {
    const send = this.#due.take(Math.ceil(this.health.sendingMax / 2))
    if (send === null) return null
    this.#wasDue = true
    return this.#sendDue(send).finally(() => this.#due.sent(send))
  }

  async #readOn(): Promise<void> {
    if (this.#isClosing || !this.health.mayProbe(this.#deps.clock.now())) return
    const { isFailing, successesInRow } = this.health
    const countMax = isFailing ? 1 : Math.min(READ_COUNT_MAX, FIRST_READ_COUNT + 2 * successesInRow)
    try {
      if (await this.#feed.readOn(SENDING_MAX, countMax)) this.pump()
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'could not read the feed for a webhook; retrying')
    }
  }

  async #sendEvent(slot: Slot): Promise<void> {
    const { id, subjectId, type, body } = slot.event
    const done = await this.#attempts.send({ messageId: id, body, attemptCount: 0 })
    if (this.#isDead) return
    slot.state = 'done'
    slot.result = {
      ...done.result,
      id: newId(done.result.lastAttempt.at.getTime()),
      eventId: id,
      subjectId,
      type,
    }
    this.#outbox.addFirst()
    this.#recordOutcome(done)
  }

  async #sendDue(send: DueSend): Promise<void> {
    const done = await this.#attempts.send(send)
    if (this.#isDead) return
    this.#outbox.addLater({ ...done.result, id: send.id, attemptCount: send.attemptCount })
    this.#recordOutcome(done)
  }

  #recordOutcome({ disableReason }: Done): void {
    if (disableReason !== null) {
      this.#outbox.disableReason ??= disableReason
      this.close()
    }
    this.#deps.onResult(this)
  }
}
