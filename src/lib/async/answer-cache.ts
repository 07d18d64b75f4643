interface Entry<T> {
  answer: Promise<T>
  untilMs: number
}

/**
 * Caches answers by name for a while; concurrent callers share one request. A failure is not cached, and beyond the
 * limit the oldest entries are evicted first.
 */
export class AnswerCache<T> {
  readonly #keptMs: number
  readonly #countMax: number
  /** In request order. */
  readonly #entries = new Map<string, Entry<T>>()

  constructor({ keptMs, countMax }: { keptMs: number; countMax: number }) {
    this.#keptMs = keptMs
    this.#countMax = countMax
  }

  get(name: string, load: () => Promise<T>): Promise<T> {
    const nowMs = performance.now()
    const cached = this.#entries.get(name)
    if (cached !== undefined && nowMs < cached.untilMs) return cached.answer
    const entry = { answer: load(), untilMs: nowMs + this.#keptMs }
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    if (this.#entries.size > this.#countMax) this.#entries.delete(this.#entries.keys().next().value as string)
    entry.answer.catch(() => {
      if (this.#entries.get(name) === entry) this.#entries.delete(name)
    })
    return entry.answer
  }
}
