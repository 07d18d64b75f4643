import type { Clock } from '../../base/clock.ts'

/** What is found out about names, each for its own time: bounded, the longest unused leave first, one search under way a name. */
export class TtlCache<T> {
  readonly #clock: Clock
  readonly #namesMax: number
  readonly #kept = new Map<string, { value: T; untilMs: number }>()
  readonly #searching = new Map<string, Promise<T>>()

  constructor(namesMax: number, clock: Clock) {
    this.#namesMax = namesMax
    this.#clock = clock
  }

  async get(name: string, search: () => Promise<{ value: T; ttlMs: number }>): Promise<T> {
    const kept = this.#kept.get(name)
    if (kept !== undefined && kept.untilMs > this.#clock.now().getTime()) {
      this.#kept.delete(name)
      this.#kept.set(name, kept)
      return kept.value
    }
    const searching = this.#searching.get(name) ?? this.#search(name, search)
    this.#searching.set(name, searching)
    return searching
  }

  async #search(name: string, search: () => Promise<{ value: T; ttlMs: number }>): Promise<T> {
    try {
      const { value, ttlMs } = await search()
      this.#kept.delete(name)
      this.#kept.set(name, { value, untilMs: this.#clock.now().getTime() + ttlMs })
      const oldest = this.#kept.keys().next()
      if (this.#kept.size > this.#namesMax && !oldest.done) this.#kept.delete(oldest.value)
      return value
    } finally {
      this.#searching.delete(name)
    }
  }
}
