import type { MessageContent } from './message-content.ts'
import type { SmtpLimits } from './smtp-types.ts'
import type { WireInput } from './wire-input.ts'

/** What a session waits for. During `work`, the client waits for the server and has no deadline. */
type Phase = 'command' | 'content' | 'work'

/** The minimum rate does not apply during the first minute of a message. */
const SLOW_GRACE_MS = 60_000
/** The longest interval between checks for slow clients. */
const CHECK_INTERVAL_MS = 5_000

/**
 * Enforces the time limits on a client. Uses one timer for each connection. When the timer fires, the deadline is
 * computed from the input so far, so that received bytes need no new timer.
 */
export class ClientDeadline {
  readonly #limits: SmtpLimits
  readonly #input: WireInput
  readonly #shed: () => void
  readonly #connectedAtMs = performance.now()
  #answeredAtMs = performance.now()
  #isAuthenticated = false
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
    // The limits on a message may end before the timer does.
    clearTimeout(this.#timer)
    this.#check()
  }

  /** Restarts the client's time after a reply. */
  answered(): void {
    this.#answeredAtMs = performance.now()
  }

  /** Lifts the authentication timeout, because the client has authenticated or need not. */
  authenticated(): void {
    this.#isAuthenticated = true
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
    // The whole command must arrive by then. Otherwise a client could hold a connection for ever with a byte now and
    // then.
    const idleAtMs = this.#answeredAtMs + idleTimeoutMs
    return this.#isAuthenticated
      ? idleAtMs
      : Math.min(idleAtMs, this.#connectedAtMs + authenticationTimeoutMs)
  }
}
