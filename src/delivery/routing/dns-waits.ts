/** The answer, or null when too much waits for DNS: then the delivery's try is over, and the question goes on for the next. */
export type WaitForDns = <T>(asking: Promise<T>) => Promise<T | null>

interface Wait {
  teamId: string
  sinceMs: number
  giveUp(): void
}

/** DNS answers most questions in a tenth of this; what it knows already, at once. */
const SLOW_MS = 1000
const CHECK_MS = 500

/**
 * Deliveries of this process that wait for DNS before anybody knows their site. They hold room like those that wait for a slow
 * site, and have the same bound (held-deliveries.ts): of one team no more than could still be taken, so that names that
 * nobody answers for, however many, leave half of the room, of several such teams a part of it. Only what is slow counts: a
 * newsletter to a thousand new domains is no burden.
 */
export class DnsWaits {
  readonly #roomMax: () => number
  /** Those that wait longest first. */
  readonly #waits = new Set<Wait>()
  #isWatching = false

  /** @param roomMax how many more may be taken */
  constructor(roomMax: () => number) {
    this.#roomMax = roomMax
  }

  /** Rejects as `asking` does. */
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

  /** The teams with the most first: one with a few names that are slow gives up none for another's thousands. */
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
