import { retryDelayMs } from '../../lib/time/backoff.ts'

/** Why nothing goes to a site, and until when. */
export interface Pause {
  /** `stopped`: a reply said that no more mail is wanted from this source; an operator may resume it before. */
  state: 'paused' | 'stopped'
  untilMs: number
  /** Failures in a row, this one included; what the next pause is measured by. */
  failures: number
  category: string
  /** What was said, or what happened. */
  reason: string
}

export interface SiteThrottleDeps {
  nowMs(): number
  random: () => number
  /** How long to wait after a site could not be reached, milliseconds; the last repeats. */
  probesMs(): readonly number[]
}

/**
 * Pauses after a failure where nothing else is said. The first is short, for what a restart of the other side takes;
 * with the second, two attempts have been made within the minute. None is so long that a return goes unnoticed.
 */
export const PROBES_MS: readonly number[] = [30_000, 60_000, 60_000, 120_000, 300_000]
/** A little later by chance, never earlier: sites that failed together do not come back together. */
const JITTER = 0.1

/** Of the pauses of `PROBES_MS`, the first follows a shorter retry schedule. */
export function probesAfter(retryScheduleMs: readonly number[]): readonly number[] {
  const [first = 0, ...rest] = PROBES_MS
  return [Math.min(first, retryScheduleMs[0] ?? first), ...rest]
}

/**
 * How much one site takes at a time. States:
 * - *open*: up to `limit` connections. The limit starts at `start`, grows by one with as many successes in a row as it
 *   is high, and is halved when the server asks for less, once for all that was under way by then, down to one.
 * - *paused* or *stopped* until a time.
 * - *probing*, after that: one delivery alone is tried. An answer opens the site, a failure pauses it for longer.
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

  /** The last pause, until an answer ends it; also while its end is being probed. */
  get pause(): Pause | null {
    return this.#pause
  }

  /** Connections at a time. */
  get limit(): number {
    return this.state === 'probing' ? 1 : this.#limit
  }

  reshape({ connectionsStart, connectionsMax }: { connectionsStart: number; connectionsMax: number }): void {
    this.#start = connectionsStart
    this.#max = connectionsMax
    this.#limit = Math.min(this.#limit, connectionsMax)
  }

  /** The site took what it was given, whatever it said of the recipient. */
  succeed(): void {
    this.#successes++
    if (this.#successes < this.#limit || this.#limit >= this.#max) return
    this.#limit++
    this.#successes = 0
  }

  /** The site answered. Returns whether that is the end of a pause. */
  endProbe(): boolean {
    if (this.state !== 'probing') return false
    this.#pause = null
    return true
  }

  /** More were refused. */
  capAt(count: number): void {
    this.#limit = Math.max(1, Math.min(this.#limit, count))
    this.#successes = 0
  }

  /** What began before the last halving is an answer to how much went before it. */
  slowDown(startedAtMs: number): void {
    if (startedAtMs < this.#halvedAtMs) return
    this.#halvedAtMs = this.#deps.nowMs()
    this.#successes = 0
    this.#limit = Math.max(1, Math.floor(this.#limit / 2))
  }

  /** No host can be talked to. `askedMs`: how long the reply asks to wait. */
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

  /** What another process found out, or this one before it was started anew. */
  adopt(pause: Pause): void {
    if (this.#pause === null || pause.untilMs > this.#pause.untilMs) this.#pause = { ...pause }
  }

  /** By hand, or because another process got an answer. */
  resume(): void {
    this.#pause = null
  }
}
