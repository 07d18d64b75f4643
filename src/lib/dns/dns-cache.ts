import type { Clock } from '../time/clock.ts'

/** The answer to one query. Only `temporary` is worth retrying soon; the other three are facts. */
export type DnsAnswer<T> =
  | { kind: 'records'; records: readonly T[] }
  | { kind: 'no_data' }
  | { kind: 'no_domain' }
  | { kind: 'temporary'; reason: string }

interface Kept<T> {
  answer: DnsAnswer<T>
  sinceMs: number
  untilMs: number
  /** From then on a popular name is refreshed while its answer is still served. */
  refreshMs: number
  hitCount: number
}

type Query<T> = () => Promise<{ answer: DnsAnswer<T>; ttlMs: number }>

/** A name queried this often within one TTL is refreshed before it expires: its mail never waits for DNS. */
const POPULAR_HITS = 3
/** The last part of its TTL, in which it is refreshed; at least two seconds, the time of a slow answer. */
const REFRESH_SHARE = 0.1
const REFRESH_MIN_MS = 2000

/** Caches answers by name: bounded, least recently used evicted first, one query in progress per name. */
export class DnsCache<T> {
  readonly #kept = new Map<string, Kept<T>>()
  readonly #querying = new Map<string, Promise<DnsAnswer<T>>>()
  readonly #namesMax: number
  readonly #clock: Clock

  constructor(namesMax: number, clock: Clock) {
    this.#namesMax = namesMax
    this.#clock = clock
  }

  /** `query` never rejects for a DNS result. */
  async get(name: string, query: Query<T>): Promise<DnsAnswer<T>> {
    const kept = this.#kept.get(name)
    const nowMs = this.#clock.now().getTime()
    if (kept === undefined || !isCurrent(kept, nowMs)) return this.#queryOnce(name, query)
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    kept.hitCount++
    if (kept.hitCount >= POPULAR_HITS && nowMs >= kept.refreshMs) {
      // Refreshed once in the remaining time: if DNS fails now, the cached answer is used until it expires.
      kept.refreshMs = Number.POSITIVE_INFINITY
      this.#queryOnce(name, query).catch(() => {})
    }
    return kept.answer
  }

  /** Returns whether `get` would answer at once. */
  has(name: string): boolean {
    const kept = this.#kept.get(name)
    return kept !== undefined && isCurrent(kept, this.#clock.now().getTime())
  }

  #queryOnce(name: string, query: Query<T>): Promise<DnsAnswer<T>> {
    const querying = this.#querying.get(name) ?? this.#query(name, query)
    this.#querying.set(name, querying)
    return querying
  }

  async #query(name: string, query: Query<T>): Promise<DnsAnswer<T>> {
    try {
      const { answer, ttlMs } = await query()
      if (answer.kind !== 'temporary') this.#keep(name, answer, ttlMs)
      return answer
    } finally {
      this.#querying.delete(name)
    }
  }

  #keep(name: string, answer: DnsAnswer<T>, ttlMs: number): void {
    const sinceMs = this.#clock.now().getTime()
    const untilMs = sinceMs + ttlMs
    const refreshMs = untilMs - Math.max(REFRESH_MIN_MS, ttlMs * REFRESH_SHARE)
    this.#kept.delete(name)
    this.#kept.set(name, { answer, sinceMs, untilMs, refreshMs, hitCount: 0 })
    const oldest = this.#kept.keys().next()
    if (this.#kept.size > this.#namesMax && !oldest.done) this.#kept.delete(oldest.value)
  }
}

/** An answer from the future is not: after the clock was set back, it would stay for as long as the step. */
function isCurrent({ sinceMs, untilMs }: Pick<Kept<unknown>, 'sinceMs' | 'untilMs'>, nowMs: number): boolean {
  return sinceMs <= nowMs && nowMs < untilMs
}
