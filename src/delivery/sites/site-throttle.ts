import { retryDelayMs } from '../../lib/time/backoff.ts'

/** Why nothing is sent to a site, and until when. */
export interface Pause {
  /** `stopped`: a reply said that the server wants no more mail from this source. An operator may resume it earlier. */
  state: 'paused' | 'stopped'
  untilMs: number
  /** Consecutive failures, including this one; they determine the next pause. */
  failures: number
  category: string
  /** The reply, or what happened. */
  reason: string
}

export interface SiteThrottleDeps {
  nowMs(): number
  random: () => number
  /** Waits after a site could not be reached, in milliseconds; the last repeats. */
  probesMs(): readonly number[]
}

/**
 * Default pauses after a failure. The first is short, because the server may only be restarting. The last
 * limits how late Sendwright notices a recovery.
 */
export const PROBES_MS: readonly number[] = [30_000, 60_000, 60_000, 120_000, 300_000]
/** Random addition to a pause, so that sites that failed together are not probed together. */
const JITTER = 0.1

/** Returns `PROBES_MS` with its first pause shortened to that of a shorter retry schedule. */
export function probesAfter(retryScheduleMs: readonly number[]): readonly number[] {
  const [first = 0, ...rest] = PROBES_MS
  return [Math.min(first, retryScheduleMs[0] ?? first), ...rest]
}

/**
 * Limits how much one site gets at a time. States:
 * - *open*: up to `limit` connections. The limit starts at `start`, grows by one after as many consecutive successes as
 *   its value, and is halved when the server asks to slow down, but not below one. Requests from messages that were in
 *   flight at that time do not halve it again.
 * - *paused* or *stopped* until a time.
 * - *probing*, after that time: one delivery is attempted. A reply opens the site; a failure pauses it for longer.
 */
export class SiteThrottle {
  readonly #deps: SiteThrottleDeps
  #start: number
  #max: number
  #limit: number
  #successes = 0
  #halvedAtMs = 0
  #pause: Pause | null = null

  constructor(deps: SiteThrottleDeps, shape: { connectionsStart: number; connectionsMax: number }) {
    this.#deps = deps
    this.#start = shape.connectionsStart
    this.#max = shape.connectionsMax
    this.#limit = this.#start
  }

  get state(): 'open' | 'paused' | 'stopped' | 'probing' {
    if (this.#pause === null) return 'open'
    return this.#deps.nowMs() < this.#pause.untilMs ? this.#pause.state : 'probing'
  }

  get isShut(): boolean {
    return this.state === 'paused' || this.state === 'stopped'
  }

  /** The last pause, until a reply ends it; also while a probe is running. */
  get pause(): Pause | null {
    return this.#pause
  }

  /** The most simultaneous connections now. */
  get limit(): number {
    return this.state === 'probing' ? 1 : this.#limit
  }

  reshape({ connectionsStart, connectionsMax }: { connectionsStart: number; connectionsMax: number }): void {
    this.#start = connectionsStart
    this.#max = connectionsMax
    this.#limit = Math.min(this.#limit, connectionsMax)
  }

  /** Records a reply that does not ask to slow down, whatever it means for the recipient. */
  succeed(): void {
    this.#successes++
    if (this.#successes < this.#limit || this.#limit >= this.#max) return
    this.#limit++
    this.#successes = 0
  }

  /** Records that the site answered. Returns whether that ends a pause. */
  endProbe(): boolean {
    if (this.state !== 'probing') return false
    this.#pause = null
    return true
  }

  /** Caps the limit at the number of connections that the server allowed. */
  capAt(count: number): void {
    this.#limit = Math.max(1, Math.min(this.#limit, count))
    this.#successes = 0
  }

  /**
   * Halves the limit. Does nothing if the message began before the last halving: its reply concerns the earlier load.
   */
  slowDown(startedAtMs: number): void {
    if (startedAtMs < this.#halvedAtMs) return
    this.#halvedAtMs = this.#deps.nowMs()
    this.#successes = 0
    this.#limit = Math.max(1, Math.floor(this.#limit / 2))
  }

  /**
   * Pauses the site because no host can be reached.
   * @param askedMs the wait that the reply asks for, or null
   */
  fail(category: string, reason: string, askedMs: number | null): Pause {
    this.#limit = this.#start
    this.#successes = 0
    const failures = (this.#pause?.failures ?? 0) + 1
    const waitMs =
      retryDelayMs(this.#deps.probesMs(), failures, () => 0.5) * (1 + JITTER * this.#deps.random())
    return this.shut('paused', Math.max(waitMs, askedMs ?? 0), category, reason)
  }

  shut(state: Pause['state'], ms: number, category: string, reason: string): Pause {
    const failures = (this.#pause?.failures ?? 0) + 1
    this.#pause = { state, untilMs: this.#deps.nowMs() + Math.round(ms), failures, category, reason }
    return this.#pause
  }

  /** Takes over a pause that another process recorded, or this one before a restart. */
  adopt(pause: Pause): void {
    if (this.#pause === null || pause.untilMs > this.#pause.untilMs) this.#pause = { ...pause }
  }

  /** Resumes on an operator's request, or because another process got a reply. */
  resume(): void {
    this.#pause = null
  }
}
