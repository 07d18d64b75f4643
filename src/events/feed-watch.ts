import type { Queryable } from '../db/db-types.ts'
import type { Log } from '../lib/log.ts'
import { findFeedEnds } from './feed-queries.ts'
import type { EventWake } from './wake.ts'

export interface WaitOptions {
  timeoutMs: number
  /** Aborts when the wait is no longer needed. */
  signal: AbortSignal
}

interface Waiter {
  position: number
  end(isPast: boolean): void
}

export interface FeedWatchDeps {
  db: Queryable
  wake: Pick<EventWake, 'subscribe'>
  log: Log
}

/** Under load one scan serves everything that arrived meanwhile. */
const SCAN_GAP_MS = 25
/** The interval of scans without notifications, which may be lost. */
const SCAN_INTERVAL_MS = 2_000

/**
 * Lets all readers in the process wait for new events together. One statement serves all teams. It runs when events
 * are announced, when a new reader waits (events written since its last read were announced already), and at least
 * every other second.
 *
 * States: idle -> due (on a timer, because the last scan was too recent) -> scanning -> idle, or due again when
 * requested meanwhile.
 */
export class FeedWatch {
  readonly #deps: FeedWatchDeps
  readonly #waiting = new Map<string, Set<Waiter>>()
  readonly #stopping = new AbortController()
  readonly #slowTimer: NodeJS.Timeout
  #unsubscribe: (() => void) | null = null
  #timer: NodeJS.Timeout | null = null
  #isLooking = false
  #isAsked = false
  #lookedAtMs = Number.NEGATIVE_INFINITY

  constructor(deps: FeedWatchDeps) {
    this.#deps = deps
    this.#slowTimer = setInterval(() => this.#askForLook(), SCAN_INTERVAL_MS).unref()
  }

  /** Aborts when this process stops: readers must end. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /**
   * Resolves to true when the team's feed continues after `position`; to false when the time is over, the waiter
   * leaves, or the process stops.
   */
  async waitPast(teamId: string, position: number, { timeoutMs, signal }: WaitOptions): Promise<boolean> {
    if (signal.aborted || this.stopping.aborted) return false
    this.#unsubscribe ??= this.#deps.wake.subscribe(() => this.#askForLook())
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiter = { position, end: resolve }
    const giveUp = () => resolve(false)
    const timeout = setTimeout(giveUp, timeoutMs)
    signal.addEventListener('abort', giveUp)
    this.#waiting.set(teamId, (this.#waiting.get(teamId) ?? new Set()).add(waiter))
    this.#askForLook()
    return promise.finally(() => {
      clearTimeout(timeout)
      signal.removeEventListener('abort', giveUp)
      this.#remove(teamId, waiter)
    })
  }

  stop(): void {
    this.#stopping.abort()
    this.#unsubscribe?.()
    clearInterval(this.#slowTimer)
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const ones of this.#waiting.values()) for (const waiter of ones) waiter.end(false)
  }

  #askForLook(): void {
    if (this.#waiting.size === 0) return
    this.#isAsked = true
    if (this.#timer !== null || this.#isLooking) return
    const restMs = Math.max(0, this.#lookedAtMs + SCAN_GAP_MS - performance.now())
    this.#timer = setTimeout(() => void this.#look(), restMs)
  }

  async #look(): Promise<void> {
    this.#timer = null
    this.#isAsked = false
    this.#isLooking = true
    this.#lookedAtMs = performance.now()
    try {
      const ends = await findFeedEnds(this.#deps.db, [...this.#waiting.keys()])
      for (const [teamId, end] of ends) this.#endThose(teamId, end)
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'could not check for new events; retrying')
      this.#isAsked = false
    } finally {
      this.#isLooking = false
    }
    if (this.#isAsked) this.#askForLook()
  }

  #endThose(teamId: string, end: number): void {
    for (const waiter of this.#waiting.get(teamId) ?? []) if (end > waiter.position) waiter.end(true)
  }

  #remove(teamId: string, waiter: Waiter): void {
    const ones = this.#waiting.get(teamId)
    ones?.delete(waiter)
    if (ones?.size === 0) this.#waiting.delete(teamId)
  }
}
