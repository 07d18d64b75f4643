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
 * The claims that an outage of the database interrupted. Such a claim may have leased deliveries to this process that it
 * never read, or whose content it could not load: nothing sends them, and they would wait until their leases expire.
 *
 * They are released without duplicates, if `note` and `release` are called in turn with the claims: what another claim
 * returned is held by then, and what acceptance hands off meanwhile is not among the deliveries of a claim.
 */
export class LostClaims {
  readonly #deps: LostClaimsDeps
  #times: Date[] = []
  #nextMs = 0

  constructor(deps: LostClaimsDeps) {
    this.#deps = deps
  }

  /** Notes a claim that failed because the database was unavailable. `at` is the time that it used as now. */
  note(at: Date): void {
    this.#times.push(at)
    this.#nextMs = 0
  }

  /**
   * Releases what the noted claims leased and this process does not hold, at most once a second. Their leases expire after a
   * minute, and then they are forgotten. Rejects with DatabaseUnavailable; a later call tries again.
   */
  async release(): Promise<void> {
    const { db, clock, nodeId, held } = this.#deps
    const now = clock.now()
    this.#times = this.#times.filter((at) => now.getTime() - at.getTime() < LEASE_MS)
    if (this.#times.length === 0 || performance.now() < this.#nextMs) return
    // Before the search, so that one which fails delays no more than every other claim.
    this.#nextMs = performance.now() + EVERY_MS
    const leased = await findLeasedAt(db, this.#times, nodeId)
    const ours = new Set(held().map(keyOf))
    const lost = leased.filter((key) => !ours.has(keyOf(key)))
    if (lost.length > 0) await releaseLeases(db, lost, nodeId, now)
  }
}
