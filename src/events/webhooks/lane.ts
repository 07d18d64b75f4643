import { retryDelayMs } from '../../base/backoff.ts'
import { newId } from '../../base/ids.ts'
import type { Endpoint, EndpointKey } from '../../store/webhook-lanes.ts'
import type { LaterResult, TryResult } from '../../store/webhook-results.ts'
import { Health, SENDING_MAX } from './health.ts'
import type { Verdict } from './judge.ts'
import type { LaneBudget } from './lane-budget.ts'
import type { DueSend, LaneResults } from './lane-types.ts'
import { Sender, type SenderDeps } from './sender.ts'
import type { TeamFeeds } from './team-feeds.ts'
import { FeedWindow, type Slot } from './window.ts'

export type Outcome = 'delivered' | 'failed' | 'given_up'

export interface LaneDeps extends SenderDeps {
  random: () => number
  /** Waits before try 2, 3, ...; as many tries as waits and one. */
  retryScheduleMs: readonly number[]
  feeds: TeamFeeds
  budget: LaneBudget
  /** There is something to be written. */
  onResult(lane: Lane): void
  /** Somebody should look at the lane again. */
  wake(): void
  count(outcome: Outcome): void
}

/** Events between reading and writing. */
const WINDOW_MAX = 256
/** An endpoint shows by successes that it takes more; one that hangs holds few events in memory. */
const FIRST_READ_COUNT = 8
const READ_COUNT_MAX = 100
const NOT_KEPT = 'The event is not kept any more.'

/**
 * One leased endpoint: sends what its team's feed has for it, and its retries. States: *open*, and then *closing* (its time
 * is over, it was changed, switched off or lost): begins nothing more, and is quiet once what is on the wire has ended and
 * its results are written. While it fails, one request is on the wire at a time: retries when they are due, events of the
 * feed ever more seldom (health.ts).
 */
export class Lane {
  readonly heldSinceMs = performance.now()
  readonly health: Health
  #endpoint: Endpoint
  readonly #sender: Sender
  #leaveFeed: () => void
  readonly #deps: LaneDeps
  readonly #window: FeedWindow
  #feedEnd: number
  #nextRetryAt: Date | null
  #due: DueSend[] = []
  /** Ids of what is due, on the wire or not written yet: not to be loaded again. */
  readonly #dueIds = new Set<string>()
  #later: LaterResult[] = []
  #sendingCount = 0
  #writingCount = 0
  #isReading = false
  #isClosing = false
  #isDead = false
  #sendUntilMs: number
  #idleSinceMs: number | null = null
  #disableReason: string | null = null

  /** @param sendUntilMs until when it may begin to send (performance.now), unless it is moved on */
  constructor(endpoint: Endpoint, sendUntilMs: number, deps: LaneDeps) {
    this.#deps = deps
    this.#endpoint = endpoint
    this.#sendUntilMs = sendUntilMs
    this.#feedEnd = endpoint.position
    this.#nextRetryAt = endpoint.nextRetryAt
    this.health = new Health(endpoint)
    this.#window = new FeedWindow(endpoint.position)
    this.#sender = new Sender(endpoint, deps)
    this.#leaveFeed = deps.feeds.join(endpoint.teamId, endpoint.types)
  }

  get key(): EndpointKey {
    return this.#endpoint
  }

  get updatedAt(): Date {
    return this.#endpoint.updatedAt
  }

  get position(): number {
    return this.#window.position
  }

  /** Nothing is on the wire and everything is written. */
  get isQuiet(): boolean {
    return (
      this.#sendingCount === 0 &&
      this.#writingCount === 0 &&
      this.#later.length === 0 &&
      !this.#window.hasResults &&
      this.#disableReason === null
    )
  }

  get isClosing(): boolean {
    return this.#isClosing
  }

  /** Something is due that it does not have yet; what it had is written. */
  wantsDue(now: Date): boolean {
    return (
      !this.#isClosing && this.#dueIds.size === 0 && this.#nextRetryAt !== null && this.#nextRetryAt <= now
    )
  }

  /** When something is to be done here that waits for its time; null: nothing does. */
  get nextAtMs(): number | null {
    if (this.#isClosing || !this.isQuiet) return null
    const hasFeed = this.#window.position < this.#feedEnd
    const probeMs = hasFeed ? (this.probeAt?.getTime() ?? null) : null
    const retryMs = this.#dueIds.size === 0 ? (this.#nextRetryAt?.getTime() ?? null) : null
    return probeMs === null || retryMs === null ? (probeMs ?? retryMs) : Math.min(probeMs, retryMs)
  }

  /** Nothing is to be done here before `time`. */
  restsUntil(time: Date): boolean {
    const { probeAt } = this
    const hasRetry = this.#dueIds.size > 0 || (this.#nextRetryAt !== null && this.#nextRetryAt <= time)
    return probeAt !== null && probeAt > time && !hasRetry
  }

  /** Since when it has nothing to do (performance.now); null: it has. */
  get idleSinceMs(): number | null {
    const isIdle = this.isQuiet && this.#dueIds.size === 0 && this.#window.position >= this.#feedEnd
    if (!isIdle) this.#idleSinceMs = null
    else this.#idleSinceMs ??= performance.now()
    return this.#idleSinceMs
  }

  /** When an event of the feed may be tried again; null: at any time. */
  get probeAt(): Date | null {
    return this.health.probeAt
  }

  extend(sendUntilMs: number): void {
    this.#sendUntilMs = sendUntilMs
  }

  /** Events up to `feedEnd` are committed, and were when the endpoint was last seen as it is. */
  see(feedEnd: number, nextRetryAt: Date | null): void {
    this.#feedEnd = Math.max(this.#feedEnd, feedEnd)
    this.#nextRetryAt = nextRetryAt
  }

  /** Its owner has changed it: what is not sent yet is sent as it says now. */
  change(endpoint: Endpoint): void {
    this.#sender.change(endpoint)
    this.#leaveFeed()
    this.#leaveFeed = this.#deps.feeds.join(endpoint.teamId, endpoint.types)
    this.#endpoint = endpoint
    this.#window.skipTo(endpoint.position)
    this.#window.drop((event) => this.#wants(event.type) && event.position > endpoint.position)
  }

  giveDue(sends: readonly DueSend[]): void {
    for (const send of sends) {
      this.#due.push(send)
      this.#dueIds.add(send.id)
    }
  }

  /** Begins nothing more. */
  close(): void {
    this.#isClosing = true
    this.#due = []
  }

  /** For one that is quiet, or whose answers nobody waits for any more. */
  end(): void {
    this.#isDead = true
    this.close()
    this.#sender.close()
    this.#leaveFeed()
  }

  /** Sends as much as may be sent now, and reads on. */
  pump(): void {
    while (this.#maySend()) {
      const due = this.#due.shift()
      const slot =
        due === undefined && this.health.mayProbe(this.#deps.clock.now()) ? this.#window.takeNext() : null
      if (due === undefined && slot === null) break
      const isExtra = this.#sendingCount > 0
      if (isExtra) this.#deps.budget.takeExtra()
      this.#sendingCount++
      const sending = due === undefined ? this.#sendEvent(slot as Slot) : this.#sendDue(due)
      void sending.finally(() => {
        this.#sendingCount--
        if (isExtra) this.#deps.budget.giveBackExtra()
        this.pump()
      })
    }
    void this.#readOn()
  }

  /** What is to be written now; null: nothing. `written` must follow. */
  takeResults(): LaneResults | null {
    const first = this.#window.takeResults()
    const later = this.#later
    if (first.length === 0 && later.length === 0 && this.#disableReason === null) return null
    this.#later = []
    const { teamId, id } = this.#endpoint
    const { failingSince, probeAt } = this.health
    const disableReason = this.#disableReason
    this.#writingCount++
    return {
      webhook: { teamId, id },
      state: { teamId, id, position: this.position, failingSince, probeAt },
      first,
      later,
      disableReason,
    }
  }

  /** The results are in the database, or (`isKept` false) of no interest, as somebody else has the endpoint now. */
  written(results: LaneResults, isKept: boolean): void {
    this.#writingCount--
    this.#deps.budget.unwrittenCount -= results.first.length + results.later.length
    for (const { id } of results.later) this.#dueIds.delete(id)
    if (results.disableReason !== null) this.#disableReason = null
    if (!isKept) this.close()
    // Only the database knows what is due next.
    if (this.#isClosing || this.health.failingSince !== null || results.later.length > 0) this.#deps.wake()
    this.pump()
  }

  #maySend(): boolean {
    if (this.#isClosing || performance.now() > this.#sendUntilMs) return false
    if (this.#deps.budget.isFull || this.#sendingCount >= this.health.sendingMax) return false
    return this.#sendingCount === 0 || this.#deps.budget.hasExtra
  }

  async #readOn(): Promise<void> {
    const window = this.#window
    if (this.#isReading || this.#isClosing || window.readTo >= this.#feedEnd) return
    if (window.waitingCount >= SENDING_MAX || window.size >= WINDOW_MAX) return
    if (!this.health.mayProbe(this.#deps.clock.now())) return
    const before = window.readTo
    this.#isReading = true
    try {
      const endpoint = this.#endpoint
      const page = await this.#deps.feeds.read(endpoint.teamId, window.readTo)
      if (this.#endpoint === endpoint) this.#take(page)
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'could not read the feed for a webhook; trying again')
      return
    } finally {
      this.#isReading = false
    }
    // Without progress (the feed is shorter than it was: a restored database) the next look is soon enough.
    if (window.readTo > before) this.pump()
  }

  #take({ events, through }: Awaited<ReturnType<TeamFeeds['read']>>): void {
    const window = this.#window
    const countMax = this.health.isFailing
      ? 1
      : Math.min(READ_COUNT_MAX, FIRST_READ_COUNT + 2 * this.health.successesInRow)
    let count = 0
    for (const event of events) {
      if (event.position <= window.readTo) continue
      if (event.position > this.#feedEnd || count === countMax) return
      if (!this.#wants(event.type)) continue
      window.add(event)
      count++
    }
    window.skipTo(Math.min(through, this.#feedEnd))
  }

  #wants(type: string): boolean {
    const { types } = this.#endpoint
    return types.length === 0 || types.includes(type)
  }

  async #sendEvent(slot: Slot): Promise<void> {
    const { id, subjectId, type, body } = slot.event
    const done = await this.#send(id, body, 0)
    if (done === null) return
    slot.state = 'done'
    slot.result = { ...done, id: newId(done.lastTry.at.getTime()), eventId: id, subjectId, type }
    this.#noteResult()
  }

  async #sendDue({ id, messageId, triesCount, body }: DueSend): Promise<void> {
    const done = body === null ? this.#giveUp() : await this.#send(messageId, body, triesCount)
    if (done === null) return
    this.#later.push({ ...done, id, triesCount })
    this.#noteResult()
  }

  #noteResult(): void {
    this.#deps.budget.unwrittenCount++
    this.#deps.onResult(this)
  }

  #giveUp(): Omit<TryResult, 'id'> {
    this.#deps.count('given_up')
    const lastTry = { at: this.#deps.clock.now(), status: null, latencyMs: 0, error: NOT_KEPT }
    return { lastTry, status: 'failed', dueAt: null, answer: null }
  }

  /** Null: nobody waits for the answer any more. */
  async #send(messageId: string, body: string, triesCount: number): Promise<Omit<TryResult, 'id'> | null> {
    const { lastTry, verdict, answer } = await this.#sender.send(messageId, body)
    if (this.#isDead) return null
    const dueAt = this.#settle(verdict, triesCount + 1, lastTry.at)
    if (verdict.isDelivered) this.#deps.count('delivered')
    else this.#deps.count(dueAt === null ? 'given_up' : 'failed')
    return {
      lastTry,
      status: verdict.isDelivered ? 'delivered' : dueAt === null ? 'failed' : 'waiting',
      dueAt,
      answer,
    }
  }

  /** What a try means for the endpoint. Returns when what was tried is due again; null: never. */
  #settle(verdict: Verdict, triesCount: number, at: Date): Date | null {
    if (verdict.isDelivered) {
      this.health.succeed()
      return null
    }
    const now = this.#deps.clock.now()
    this.health.fail(at, now, verdict.retryAfterMs)
    this.#disableReason ??= this.health.reasonToDisable(verdict.isGone, now)
    if (this.#disableReason !== null) this.close()
    const { retryScheduleMs, random } = this.#deps
    if (this.#disableReason !== null || triesCount > retryScheduleMs.length) return null
    const delayMs = retryDelayMs(retryScheduleMs, triesCount, random)
    return new Date(now.getTime() + Math.max(delayMs, verdict.retryAfterMs))
  }
}
