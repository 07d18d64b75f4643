import type { DueSend } from './worker-types.ts'

/** What is due at one endpoint by time: retries, replays and tests, some of them at hand. */
export class DueQueue {
  #sends: DueSend[] = []
  /** At hand, on the wire or not written yet: not to be loaded again. */
  readonly #openIds = new Set<string>()
  #nextAt: Date | null
  #sendingCount = 0

  /** @param nextAt when the earliest of them is due; null: there is none */
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

  /** Lets go of what is at hand: it stays due. */
  clear(): void {
    this.#sends = []
  }

  /** Nothing is at hand, on the wire or unwritten. */
  get isEmpty(): boolean {
    return this.#openIds.size === 0
  }

  /** When there is something to be loaded; null: not before what is open is written. */
  get loadAt(): Date | null {
    return this.isEmpty ? this.#nextAt : null
  }

  /** The next one, to be sent by the caller, unless `sendingMax` are on the wire. `sent` must follow. */
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
