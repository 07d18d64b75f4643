import { performance as node } from 'node:perf_hooks'

/** The longest wait of one request, and the window in which deliveries that leave are counted. */
const WINDOW_MS = 1000
/** A process that works for less of its time waits for other servers, not for itself. */
const UTILIZATION_OF_BUSY_MIN = 0.5
/**
 * What a claimed delivery that leaves counts for, beside one that was handed off. Less than one, so that a backlog in the
 * database becomes smaller while it goes out.
 */
const CLAIMED_CREDIT = 0.5
/** The messages of all waiting requests. */
const BYTES_MAX = 16 * 1024 * 1024

interface Waiting {
  recipientCount: number
  bytes: number
  go(): void
}

/**
 * Lets requests wait until about as many deliveries have left as they add, while this process is busy. Accepting an email
 * costs more than delivering it, so that many clients without a pause would take the time in which their mail could leave: it
 * would pile up in the database, from where each delivery costs more still.
 *
 * Nobody waits longer than `WINDOW_MS`, and no more recipients wait than left in the window before. Teams take turns
 * (docs/adr/0055-acceptance-waits.md).
 */
export class AcceptanceTurns {
  /** By team, each in the order of its requests. The team whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #readUtilization: () => number
  #waitingCount = 0
  #waitingBytes = 0
  #credit = 0
  #windowMs = 0
  #leftNow = 0
  #leftBefore = 0
  #isBusy = false

  /** @param readUtilization returns the share of time in which the event loop worked, since the last call */
  constructor(readUtilization: () => number = createUtilization()) {
    this.#readUtilization = readUtilization
  }

  /** Returns a promise that resolves when a request may go on, or null if it may now. */
  wait(teamId: string, recipientCount: number, bytes: number): Promise<void> | null {
    this.#roll()
    if (!this.#isBusy || this.#waitingCount + recipientCount > this.#leftBefore) return null
    if (this.#waitingBytes + bytes > BYTES_MAX) return null
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = { recipientCount, bytes, go: resolve }
    const timer = setTimeout(() => this.#release(teamId, waiting), WINDOW_MS)
    waiting.go = () => {
      clearTimeout(timer)
      resolve()
    }
    const ofTeam = this.#waiting.get(teamId)
    if (ofTeam === undefined) this.#waiting.set(teamId, [waiting])
    else ofTeam.push(waiting)
    this.#waitingCount += recipientCount
    this.#waitingBytes += bytes
    return promise
  }

  /** Notes that a delivery has left. */
  left(wasHandedOff: boolean): void {
    this.#roll()
    this.#leftNow++
    this.#credit += wasHandedOff ? 1 : CLAIMED_CREDIT
    for (const [teamId, [next]] of this.#waiting) {
      if (next === undefined || next.recipientCount > this.#credit) return
      this.#credit -= next.recipientCount
      this.#release(teamId, next)
    }
    // Nobody waits: what left until now gives nobody a right to be accepted later.
    this.#credit = 0
  }

  #release(teamId: string, waiting: Waiting): void {
    const others = this.#waiting.get(teamId)?.filter((one) => one !== waiting) ?? []
    this.#waiting.delete(teamId)
    if (others.length > 0) this.#waiting.set(teamId, others)
    this.#waitingCount -= waiting.recipientCount
    this.#waitingBytes -= waiting.bytes
    waiting.go()
  }

  #roll(): void {
    const elapsedMs = performance.now() - this.#windowMs
    if (elapsedMs < WINDOW_MS) return
    this.#leftBefore = elapsedMs < 2 * WINDOW_MS ? this.#leftNow : 0
    this.#leftNow = 0
    this.#windowMs = performance.now()
    this.#isBusy = this.#readUtilization() >= UTILIZATION_OF_BUSY_MIN
  }
}

function createUtilization(): () => number {
  let last = node.eventLoopUtilization()
  return () => {
    const now = node.eventLoopUtilization()
    const { utilization } = node.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}
