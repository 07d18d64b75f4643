// The types of the global one are those of a browser, without the utilization of the event loop.
import { performance as nodePerformance } from 'node:perf_hooks'

/** With fewer deliveries in progress, no request waits for them. */
const HELD_OF_BUSY_MIN = 100
/** A process that works for less of its time waits for other servers, not for itself. */
const UTILIZATION_OF_BUSY_MIN = 0.5
/** The longest wait of one request, and the window in which deliveries that leave are counted. */
const WINDOW_MS = 1000
/**
 * If no delivery has left for this long, no request waits any more: the database may be away, and a client must have its 503
 * within two seconds.
 */
const STALLED_MS = 300
/** How much of an earlier window's count still holds in the next, so that a short stall does not let all requests pass. */
const KEPT_SHARE = 0.9
/**
 * What a claimed delivery that leaves counts for, beside one that was handed off. Less than one, so that a backlog in the
 * database becomes smaller while it goes out.
 */
const CLAIMED_CREDIT = 0.5
/** The most that one request counts for, so that a large one does not hold all others up. */
const COST_MAX = 50
/** The messages of all waiting requests. */
const BYTES_MAX = 16 * 1024 * 1024

interface Waiting {
  cost: number
  bytes: number
  go(): void
}

/**
 * Lets requests wait until about as many deliveries have left as they add, while this process is busy. Accepting an email
 * costs more than delivering it. Clients that send without a pause would take the time in which their mail could leave, and it
 * would pile up in the database, from where each delivery costs more still.
 *
 * A request waits for a second at most. The waiting ones add no more deliveries than left in a recent second; requests beyond that
 * are accepted at once. Teams take turns (docs/adr/0055-acceptance-waits.md).
 */
export class AcceptanceTurns {
  /** By team, each in the order of its requests. The team whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #readUtilization: () => number
  #waitingCost = 0
  #waitingBytes = 0
  #credit = 0
  #windowMs = 0
  #lastLeftMs = 0
  #leftNow = 0
  #leftRecently = 0
  #isBusy = false
  #stallTimer: NodeJS.Timeout | null = null

  /** @param readUtilization returns the share of time in which the event loop worked, since the last call */
  constructor(readUtilization: () => number = createUtilization()) {
    this.#readUtilization = readUtilization
  }

  /**
   * Returns a promise that resolves when a request may go on, or null if it may now.
   * @param heldCount the deliveries in progress
   */
  wait(teamId: string, recipientCount: number, bytes: number, heldCount: number): Promise<void> | null {
    const nowMs = performance.now()
    this.#roll(nowMs)
    const cost = Math.min(recipientCount, COST_MAX)
    const isDelivering = heldCount >= HELD_OF_BUSY_MIN && nowMs - this.#lastLeftMs < STALLED_MS
    const isFull = this.#waitingCost + cost > this.#leftRecently || this.#waitingBytes + bytes > BYTES_MAX
    if (!this.#isBusy || !isDelivering || isFull) return null
    this.#stallTimer ??= setTimeout(() => this.#releaseAll(), STALLED_MS)
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(() => this.#release(teamId, waiting), WINDOW_MS)
    const waiting: Waiting = {
      cost,
      bytes,
      go() {
        clearTimeout(timer)
        resolve()
      },
    }
    const ofTeam = this.#waiting.get(teamId)
    if (ofTeam === undefined) this.#waiting.set(teamId, [waiting])
    else ofTeam.push(waiting)
    this.#waitingCost += cost
    this.#waitingBytes += bytes
    return promise
  }

  /** Notes that a delivery has left. */
  left(wasHandedOff: boolean, heldCount: number): void {
    const nowMs = performance.now()
    this.#roll(nowMs)
    this.#lastLeftMs = nowMs
    this.#leftNow++
    if (this.#stallTimer === null) return
    this.#stallTimer.refresh()
    if (heldCount < HELD_OF_BUSY_MIN) {
      this.#releaseAll()
      return
    }
    this.#credit += wasHandedOff ? 1 : CLAIMED_CREDIT
    for (const [teamId, [next]] of this.#waiting) {
      if (next === undefined || next.cost > this.#credit) return
      this.#credit -= next.cost
      this.#release(teamId, next)
      this.#endTurn(teamId)
    }
  }

  #endTurn(teamId: string): void {
    const others = this.#waiting.get(teamId)
    if (others === undefined) return
    this.#waiting.delete(teamId)
    this.#waiting.set(teamId, others)
  }

  #release(teamId: string, waiting: Waiting): void {
    const others = this.#waiting.get(teamId)?.filter((one) => one !== waiting) ?? []
    if (others.length > 0) this.#waiting.set(teamId, others)
    else this.#waiting.delete(teamId)
    this.#waitingCost -= waiting.cost
    this.#waitingBytes -= waiting.bytes
    waiting.go()
    if (this.#waiting.size > 0) return
    // Deliveries that leave while no request waits give no credit.
    this.#credit = 0
    clearTimeout(this.#stallTimer ?? undefined)
    this.#stallTimer = null
  }

  #releaseAll(): void {
    for (const [teamId, ofTeam] of this.#waiting) for (const one of ofTeam) this.#release(teamId, one)
  }

  #roll(nowMs: number): void {
    if (nowMs - this.#windowMs < WINDOW_MS) return
    this.#leftRecently = Math.max(this.#leftNow, KEPT_SHARE * this.#leftRecently)
    this.#leftNow = 0
    this.#windowMs = nowMs
    this.#isBusy = this.#readUtilization() >= UTILIZATION_OF_BUSY_MIN
  }
}

function createUtilization(): () => number {
  let last = nodePerformance.eventLoopUtilization()
  return () => {
    const now = nodePerformance.eventLoopUtilization()
    const { utilization } = nodePerformance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}
