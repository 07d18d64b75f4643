import type { LoopSlicer, Turn } from '../../lib/async/loop-slicer.ts'
import type { SiteWaiting } from './site-waiting.ts'

type Waiting = Pick<SiteWaiting, 'hasFirst' | 'size' | 'bulkSize'>

/** The lanes of a site that wait for their turn to begin a message. */
export class SiteTurns {
  readonly #slicer: Pick<LoopSlicer, 'enter'>
  readonly #waiting: Waiting
  /** Longest wait first. */
  readonly #turns = new Set<Turn>()

  constructor(slicer: Pick<LoopSlicer, 'enter'>, waiting: Waiting) {
    this.#slicer = slicer
    this.#waiting = waiting
  }

  /** Resolves when a lane may begin. Mail with priority does not wait, and only bulk mail waits for other mail. */
  async wait(): Promise<void> {
    const turn = this.#waiting.hasFirst ? null : this.#slicer.enter(this.#isOnlyBulk)
    if (turn === null) return
    this.#turns.add(turn)
    await turn.come
    this.#turns.delete(turn)
  }

  /** Ends the longest wait if mail with priority has come, and shortens it if transactional mail has. */
  advance(): void {
    const turn = this.#turns.values().next().value
    if (this.#waiting.hasFirst) turn?.skip()
    else if (!this.#isOnlyBulk) turn?.hurry()
  }

  get #isOnlyBulk(): boolean {
    return this.#waiting.size === this.#waiting.bulkSize
  }
}
