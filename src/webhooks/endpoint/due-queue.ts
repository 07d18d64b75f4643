import type { DueSend } from './worker-types.ts'

/** The deliveries due at one endpoint: retries, replays and tests, some of them loaded. */
export class DueQueue {
  #sends: DueSend[] = []
  /** Deliveries that are loaded, on the wire or unwritten, and must not be loaded again. */
  readonly #openIds = new Set<string>()
  #nextAt: Date | null
  #sendingCount = 0

  /** @param nextAt when the earliest delivery is due; null if there is none */
  constructor(nextAt: Date | null) {
    this.#nextAt = nextAt
  }

  see(nextAt: Date | null): void {
    this.#nextAt = nextAt
  }

  give(sends: readonly DueSend[]): void {
    for (const send of sends) {
      this.#sends.push(send)
      this.#openIds.add(send.id)
    }
  }

  /** Drops loaded deliveries, which stay due. */
  clear(): void {
    this.#sends = []
  }

  /** Whether no delivery is loaded, on the wire or unwritten. */
  get isEmpty(): boolean {
    return this.#openIds.size === 0
  }

  /** When to load more deliveries; null until the open ones are written. */
  get loadAt(): Date | null {
    return this.isEmpty ? this.#nextAt : null
  }

  /**
   * Returns the next delivery for the caller to send, unless `sendingMax` are on the wire. The caller must call `sent`.
   */
  take(sendingMax: number): DueSend | null {
    if (this.#sendingCount >= sendingMax) return null
    const send = this.#sends.shift() ?? null
    if (send !== null) this.#sendingCount++
    return send
  }

  sent(): void {
    this.#sendingCount--
  }

  written(ids: readonly string[]): void {
    for (const id of ids) this.#openIds.delete(id)
  }
}
