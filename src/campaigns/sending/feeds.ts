import type { Fed } from './feed-campaign.ts'

/**
 * The requests of a campaign to acceptance. With some room ahead, one is prepared while another is committed. Each is about other
 * recipients, and each of these is locked again by its commit, so nothing depends on the order in which they end.
 */
export class Feeds {
  readonly #running: { fed: Promise<Fed>; count: number }[] = []
  #after: string | null = null

  /** The last contact of those begun; null to look at all again. */
  get after(): string | null {
    return this.#after
  }

  /** How many emails may be accepted by the requests under way. */
  get count(): number {
    return this.#running.reduce((sum, { count }) => sum + count, 0)
  }

  /** @param contactIds in order, behind those of earlier requests */
  begin(contactIds: readonly string[], feed: (contactIds: readonly string[]) => Promise<Fed>): void {
    const fed = feed(contactIds)
    // It may fail before somebody waits for it.
    fed.catch(() => {})
    this.#running.push({ fed, count: contactIds.length })
    this.#after = contactIds.at(-1) ?? this.#after
  }

  /** Returns the outcome of the earliest request if more than `aheadMax` are under way; null otherwise. Throws its failure. */
  async settle(aheadMax: number): Promise<Fed | null> {
    if (this.#running.length <= aheadMax) return null
    return (this.#running.shift()?.fed ?? null) as Promise<Fed> | null
  }

  /** Looks at those again that wait although their request has ended. */
  startOver(): void {
    this.#after = null
  }

  /** Waits until no request is under way. Never rejects. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#running.splice(0).map(({ fed }) => fed))
  }
}
