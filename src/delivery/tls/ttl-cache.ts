import type { Clock } from '../../lib/time/clock.ts'

interface Kept<T> {
  value: T
  bytes: number
  sinceMs: number
  untilMs: number
}

interface TtlCacheOptions<T> {
  clock: Clock
  /** Limit on all entries, by `measure`; third parties decide how much one name takes. */
  bytesMax: number
  measure(value: T): number
}

/** Overhead of a name and its entry. */
const ENTRY_BYTES = 500

/**
 * Caches lookups by name, each for its own time. Bounded with least-recently-used eviction; one lookup at a time for
 * each name.
 */
export class TtlCache<T> {
  readonly #options: TtlCacheOptions<T>
  readonly #kept = new Map<string, Kept<T>>()
  readonly #searching = new Map<string, Promise<T>>()
  #bytes = 0

  constructor(options: TtlCacheOptions<T>) {
    this.#options = options
  }

  async get(name: string, search: () => Promise<{ value: T; ttlMs: number }>): Promise<T> {
    const entry = this.#kept.get(name)
    const nowMs = this.#options.clock.now().getTime()
    // An entry from the future would stay for as long as the clock was set back.
    if (entry !== undefined && entry.sinceMs <= nowMs && nowMs < entry.untilMs) {
      this.#kept.delete(name)
      this.#kept.set(name, entry)
      return entry.value
    }
    const searching = this.#searching.get(name) ?? this.#search(name, search)
    this.#searching.set(name, searching)
    return searching
  }

  async #search(name: string, search: () => Promise<{ value: T; ttlMs: number }>): Promise<T> {
    try {
      const { value, ttlMs } = await search()
      this.#keep(name, value, ttlMs)
      return value
    } finally {
      this.#searching.delete(name)
    }
  }

  #keep(name: string, value: T, ttlMs: number): void {
    const { clock, bytesMax, measure } = this.#options
    this.#forget(name)
    const bytes = ENTRY_BYTES + measure(value)
    const sinceMs = clock.now().getTime()
    this.#kept.set(name, { value, bytes, sinceMs, untilMs: sinceMs + ttlMs })
    this.#bytes += bytes
    while (this.#bytes > bytesMax) this.#forget(this.#kept.keys().next().value as string)
  }

  #forget(name: string): void {
    this.#bytes -= this.#kept.get(name)?.bytes ?? 0
    this.#kept.delete(name)
  }
}
