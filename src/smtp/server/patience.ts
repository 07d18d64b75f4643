import type { MessageContent } from './message-content.ts'
import type { SmtpLimits } from './smtp-types.ts'
import type { WireInput } from './wire-input.ts'

/** The state that a session waits in. While the server works, no client is too slow. */
type Phase = 'command' | 'content' | 'work'

/** A message may start slowly. */
const SLOW_GRACE_MS = 60_000
/** The longest interval between checks for slow clients. */
const CHECK_INTERVAL_MS = 5_000

/**
 * Enforces the time limits on a client. Uses one timer per connection: when it fires, the deadline is computed from the
 * input so far, so that receiving a byte costs no timer.
 */
export class Patience {
  readonly #limits: SmtpLimits
  readonly #input: WireInput
  readonly #shed: () => void
  readonly #connectedAtMs = performance.now()
  #answeredAtMs = performance.now()
  #isKnown = false
  #content: { startedAtMs: number; message: MessageContent } | null = null
  #timer: NodeJS.Timeout | undefined
  phase: Phase = 'command'

  constructor(limits: SmtpLimits, input: WireInput, shed: () => void) {
    this.#limits = limits
    this.#input = input
    this.#shed = shed
    this.#check()
  }

  enter(phase: Phase, message: MessageContent | null = null): void {
    this.phase = phase
    this.#content = message === null ? null : { startedAtMs: performance.now(), message }
    if (message === null) return
    // Its limits may be shorter than the timer.
    clearTimeout(this.#timer)
    this.#check()
  }

  /** Restarts the client's time after a reply. */
  answered(): void {
    this.#answeredAtMs = performance.now()
  }

  /** The client has authenticated, or need not. */
  known(): void {
    this.#isKnown = true
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.phase = 'work'
  }

  #check(): void {
    const leftMs = this.#dueAtMs() - performance.now()
    if (leftMs <= 0) this.#shed()
    else this.#timer = setTimeout(() => this.#check(), Math.min(leftMs, CHECK_INTERVAL_MS)).unref()
  }

  #dueAtMs(): number {
    const { idleTimeoutMs, authenticationTimeoutMs, messageTimeoutMs, bytesPerSecondMin } = this.#limits
    if (this.phase === 'work') return Number.POSITIVE_INFINITY
    if (this.#content !== null) {
      const { startedAtMs, message } = this.#content
      const idleAtMs = Math.max(this.#input.lastByteAtMs, startedAtMs) + idleTimeoutMs
      const paceMs = SLOW_GRACE_MS + (message.length / bytesPerSecondMin) * 1000
      return Math.min(idleAtMs, startedAtMs + Math.min(messageTimeoutMs, paceMs))
    }
    // The whole command must have arrived by then: otherwise an occasional byte would hold a connection for ever.
    const idleAtMs = this.#answeredAtMs + idleTimeoutMs
    return this.#isKnown ? idleAtMs : Math.min(idleAtMs, this.#connectedAtMs + authenticationTimeoutMs)
  }
}
