import type { DueSend } from './worker-types.ts'

/** The deliveries due at one endpoint: retries, replays and tests, some of them loaded. */
export class DueQueue {
  #sends: DueSend[] = []
  /** Deliveries that are loaded, on the wire or unwritten, and must not be loaded again. */
  readonly #openIds = new Set<string>()
  #nextAt: Date | null
  readonly #sending = new Set<DueSend>()

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
   * Returns the next delivery for the caller to send, unless `sendingMax` are on the wire. Never two of these deliveries
   * of one subject at a time, so that those of a replay arrive in order. The caller must call `sent`.
   */
  take(sendingMax: number): DueSend | null {
    if (this.#sending.size >= sendingMax) return null
    const busy = new Set([...this.#sending].map(({ subjectId }) => subjectId))
    const place = this.#sends.findIndex(({ subjectId }) => subjectId === null || !busy.has(subjectId))
    const [send = null] = place === -1 ? [] : this.#sends.splice(place, 1)
    if (send !== null) this.#sending.add(send)
    return send
  }

  sent(send: DueSend): void {
    this.#sending.delete(send)
  }

  written(ids: readonly string[]): void {
    for (const id of ids) this.#openIds.delete(id)
  }
}
