/** What a site may hold before it has taken anything. */
const WAITING_MIN = 25
/** The time over which mail that the site took counts, less and less. */
const MEMORY_MS = 10_000
/** How many times as much as it took lately may wait. */
const GROWTH = 2
/** What may wait is what the site takes in this time. */
export const PROGRESS_MS = GROWTH * MEMORY_MS

/**
 * How fast a site takes mail. A slow site holds little mail in memory: about what it takes in 20 seconds. Otherwise a few
 * dozen slow sites would fill the memory, and mail to all others would wait in the database for a claim.
 */
export class SiteProgress {
  #count = 0
  #countedAtMs = 0

  /** Records that the site took a delivery. */
  record(nowMs: number): void {
    this.#count = this.#countAt(nowMs) + 1
    this.#countedAtMs = nowMs
  }

  /**
   * Returns how many deliveries may wait for the site.
   * @param countMin how many may wait before it has taken anything
   */
  waitingMax(nowMs: number, countMin = WAITING_MIN): number {
    return countMin + Math.floor(GROWTH * this.#countAt(nowMs))
  }

  #countAt(nowMs: number): number {
    const passedMs = Math.max(0, nowMs - this.#countedAtMs)
    return this.#count * Math.exp(-passedMs / MEMORY_MS)
  }
}
