/**
 * Resolves to the answer, or to null when too many deliveries wait for DNS: the attempt then ends, and the query
 * continues for the next one.
 */
export type WaitForDns = <T>(asking: Promise<T>) => Promise<T | null>

interface Wait {
  teamId: string
  sinceMs: number
  giveUp(): void
}

/** DNS answers most queries in a tenth of this, and cached ones at once. */
const SLOW_MS = 1000
const CHECK_MS = 500

/**
 * Bounds the deliveries of this process that wait for DNS before their site is known. They hold room like those that
 * wait for a slow site, and have the same limit (held-deliveries.ts): one team may hold no more than the room left.
 * Unanswered names, however many, leave half of the room free; several such teams leave a part of it. Only slow queries
 * count: a newsletter to a thousand new domains is harmless.
 */
export class DnsWaits {
  readonly #roomMax: () => number
  /** Longest wait first. */
  readonly #waits = new Set<Wait>()
  #isWatching = false

  /** @param roomMax how many more deliveries may be claimed */
  constructor(roomMax: () => number) {
    this.#roomMax = roomMax
  }

  /** Rejects when `asking` rejects. */
  wait<T>(teamId: string, asking: Promise<T>): Promise<T | null> {
    const { promise, resolve, reject } = Promise.withResolvers<T | null>()
    const wait = { teamId, sinceMs: performance.now(), giveUp: () => resolve(null) }
    this.#waits.add(wait)
    this.#watch()
    asking.then(resolve, reject)
    return promise.finally(() => this.#waits.delete(wait))
  }

  #watch(): void {
    if (this.#isWatching || this.#waits.size === 0) return
    this.#isWatching = true
    setTimeout(() => this.#check(), CHECK_MS).unref()
  }

  /**
   * Ends waits of the teams with the most first, so that a team with a few slow names does not pay for another's
   * thousands.
   */
  #check(): void {
    this.#isWatching = false
    this.#watch()
    let room = this.#roomMax()
    const teams = [...this.#slowByTeam().values()].sort((a, b) => b.length - a.length)
    for (const slow of teams) {
      const excess = Math.ceil((slow.length - room) / 2)
      if (excess <= 0) return
      for (const wait of slow.slice(0, excess)) wait.giveUp()
      room += excess
    }
  }

  #slowByTeam(): Map<string, Wait[]> {
    const slow = new Map<string, Wait[]>()
    const beforeMs = performance.now() - SLOW_MS
    for (const wait of this.#waits) {
      if (wait.sinceMs > beforeMs) break
      const ones = slow.get(wait.teamId)
      if (ones === undefined) slow.set(wait.teamId, [wait])
      else ones.push(wait)
    }
    return slow
  }
}
