import type { LoopSlicer, Turn } from '../../lib/async/loop-slicer.ts'
import type { SiteWaiting } from './site-waiting.ts'

type Waiting = Pick<SiteWaiting, 'hasFirst' | 'size' | 'bulkSize'>

/** The lanes of a site that wait for their turn to start a message. */
export class SiteTurns {
  readonly #slicer: Pick<LoopSlicer, 'enter'>
  readonly #waiting: Waiting
  /** Longest wait first. */
  readonly #turns = new Set<Turn>()

  constructor(slicer: Pick<LoopSlicer, 'enter'>, waiting: Waiting) {
    this.#slicer = slicer
    this.#waiting = waiting
  }

  /**
   * Resolves when a lane may start a message: at once for mail with priority, and later for bulk mail than for other
   * mail.
   */
  async wait(): Promise<void> {
    const turn = this.#waiting.hasFirst ? null : this.#slicer.enter(this.#isOnlyBulk)
    if (turn === null) return
    this.#turns.add(turn)
    await turn.granted
    this.#turns.delete(turn)
  }

  /**
   * After new mail: ends the longest wait if the mail has priority, and marks it as urgent if the mail is
   * transactional.
   */
  advance(): void {
    const turn = this.#turns.values().next().value
    if (this.#waiting.hasFirst) turn?.skip()
    else if (!this.#isOnlyBulk) turn?.markUrgent()
  }

  get #isOnlyBulk(): boolean {
    return this.#waiting.size === this.#waiting.bulkSize
  }
}
