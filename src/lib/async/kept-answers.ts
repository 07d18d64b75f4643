interface Kept<T> {
  answer: Promise<T>
  untilMs: number
}

/**
 * Caches answers by name for a while; concurrent callers share one request. A failure is not cached, and beyond the
 * limit the oldest entries are evicted first.
 */
export class KeptAnswers<T> {
  readonly #keptMs: number
  readonly #countMax: number
  /** In request order. */
  readonly #kept = new Map<string, Kept<T>>()

  constructor({ keptMs, countMax }: { keptMs: number; countMax: number }) {
    this.#keptMs = keptMs
    this.#countMax = countMax
  }

  get(name: string, ask: () => Promise<T>): Promise<T> {
    const nowMs = performance.now()
    const known = this.#kept.get(name)
    if (known !== undefined && nowMs < known.untilMs) return known.answer
    const kept = { answer: ask(), untilMs: nowMs + this.#keptMs }
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    if (this.#kept.size > this.#countMax) this.#kept.delete(this.#kept.keys().next().value as string)
    kept.answer.catch(() => {
      if (this.#kept.get(name) === kept) this.#kept.delete(name)
    })
    return kept.answer
  }
}
