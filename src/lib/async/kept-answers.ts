interface Kept<T> {
  answer: Promise<T>
  untilMs: number
}

/**
 * Answers about names that serve for a while: who asks meanwhile gets the same one, also while it is on its way. One that
 * failed is not kept; of too many the oldest go first.
 */
export class KeptAnswers<T> {
  readonly #keptMs: number
  readonly #countMax: number
  /** In the order in which they were asked for. */
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
