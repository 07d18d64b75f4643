import type { Db } from '../db/db-types.ts'
import type { Clock } from '../lib/time/clock.ts'
import { findLeasedAt, LEASE_MS, releaseLeases } from './lease-queries.ts'
import type { DeliveryKey } from './types.ts'

interface LostClaimsDeps {
  db: Db
  clock: Clock
  nodeId: string
  /** Returns everything leased to this process that is not settled yet. */
  held(): readonly DeliveryKey[]
}

/** PostgreSQL may still commit a claim whose answer no one awaits any more, so the search is repeated. */
const EVERY_MS = 1000

const keyOf = ({ emailId, no }: DeliveryKey) => `${emailId}/${no}`

/**
 * The claims and acceptances that an outage of the database interrupted. Such a claim may have leased deliveries to this process
 * that it never read, or whose content it could not load. Such an acceptance may have been committed, and handed nothing off.
 * Nothing sends these deliveries, and they would wait until their leases expire.
 *
 * They are released without duplicates, if the methods are called in turn with the claims: what another claim returned is held
 * by then, and what acceptance hands off meanwhile is not among the deliveries of a claim.
 */
export class LostClaims {
  readonly #deps: LostClaimsDeps
  #times: Date[] = []
  #accepted = new Map<string, DeliveryKey & { untilMs: number }>()
  #nextMs = 0

  constructor(deps: LostClaimsDeps) {
    this.#deps = deps
  }

  /** Notes a claim that failed because the database was unavailable. `at` is the time that it used as now. */
  note(at: Date): void {
    this.#times.push(at)
    this.#nextMs = 0
  }

  /** Notes deliveries that acceptance may have leased to this process, and did not hand off. */
  noteAccepted(keys: readonly DeliveryKey[]): void {
    const untilMs = this.#deps.clock.now().getTime() + LEASE_MS
    for (const key of keys) this.#accepted.set(keyOf(key), { ...key, untilMs })
    if (keys.length > 0) this.#nextMs = 0
  }

  /**
   * Releases what the noted claims and acceptances leased and this process does not hold, at most once a second. Their leases expire after a
   * minute, and then they are forgotten. Rejects with DatabaseUnavailable; a later call tries again.
   */
  async release(): Promise<void> {
    const { db, clock, nodeId, held } = this.#deps
    const now = clock.now()
    this.#times = this.#times.filter((at) => now.getTime() - at.getTime() < LEASE_MS)
    for (const [id, { untilMs }] of this.#accepted) if (untilMs <= now.getTime()) this.#accepted.delete(id)
    if (this.#times.length + this.#accepted.size === 0 || performance.now() < this.#nextMs) return
    // Before the search, so that one which fails delays no more than every other claim.
    this.#nextMs = performance.now() + EVERY_MS
    const leased = this.#times.length === 0 ? [] : await findLeasedAt(db, this.#times, nodeId)
    const ours = new Set(held().map(keyOf))
    const lost = [...leased, ...this.#accepted.values()].filter((key) => !ours.has(keyOf(key)))
    if (lost.length === 0) return
    for (const key of await releaseLeases(db, lost, nodeId, now)) this.#accepted.delete(keyOf(key))
  }
}
