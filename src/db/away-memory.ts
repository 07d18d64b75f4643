import { DatabaseUnavailable, type DbOptions } from './db-types.ts'
import { isEndedByServer, isOutage, isOutageByText } from './sqlstate.ts'

const AWAY_MEMORY_MS = 250
/** Longer than any probe, because each has a shorter timeout. */
const PROBE_MS = 15_000

/**
 * Remembers that the database did not respond, so that other callers fail immediately instead of timing out one by
 * one.
 *
 * States: answering -> (no answer) -> away -> (AWAY_MEMORY_MS later) -> probing -> answering or away. While it is
 * away, every caller is rejected; while it is probing, every caller but one. Any answer ends both states: one slow
 * statement among others that succeed causes no rejections.
 */
export class AwayMemory {
  #untilMs: number | null = null
  readonly #options: DbOptions
  /** The texts that were logged: each is logged once. */
  readonly #textsLogged = new Set<string>()

  constructor(options: DbOptions) {
    this.#options = options
  }

  /** Throws DatabaseUnavailable unless the caller may ask. */
  refuse(): void {
    if (this.#untilMs === null) return
    const nowMs = performance.now()
    if (nowMs < this.#untilMs) throw new DatabaseUnavailable(new Error('It did not respond a moment ago.'))
    // This caller probes. Its result or its timeout sets the state; the new deadline applies if it sends no query.
    this.#untilMs = nowMs + PROBE_MS
  }

  /** Records a reply of the server, which may be an error. */
  answered(): void {
    this.#untilMs = null
  }

  /** Returns the error to throw in place of one that pg threw. */
  classify(error: unknown): unknown {
    if (isOutage(error) || this.#isOutageByText(error)) {
      this.#untilMs = performance.now() + AWAY_MEMORY_MS
      return new DatabaseUnavailable(error)
    }
    this.answered()
    // A server that ends a slow statement is available: other callers are not rejected because of it.
    return isEndedByServer(error) ? new DatabaseUnavailable(error) : error
  }

  #isOutageByText(error: unknown): boolean {
    if (!isOutageByText(error)) return false
    const { message: reason } = error as Error
    if (!this.#textsLogged.has(reason)) {
      this.#textsLogged.add(reason)
      this.#options.log?.warn(
        { pool: this.#options.name, reason },
        'a database error without a code counts as an outage',
      )
    }
    return true
  }
}
