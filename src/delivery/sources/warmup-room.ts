import { repeat } from '../../lib/async/repeat.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { WarmupKey } from './sources-queries.ts'

export interface WarmupRoomDeps {
  clock: Clock
  log: Log
  /** Takes up to this many of what is left of the limit, for this process alone. */
  take(key: WarmupKey, countMax: number, limit: number): Promise<{ granted: number; taken: number }>
  giveBack(key: WarmupKey, count: number): Promise<void>
}

/** The smallest and largest block, and the share of a day's limit in one, so that no process hoards much of it. */
const BLOCK_MIN = 5
const BLOCK_MAX = 500
const BLOCKS_PER_DAY = 20
/** A block without draws for this long is returned for other processes. */
const IDLE_MS = 30_000
/** When nothing was left, other processes may return some: ask again after this time. */
const ASK_AGAIN_MS = 5000

interface Block {
  key: WarmupKey
  left: number
  drawnAtMs: number
  /** Nothing was left in the database: do not ask before this time. */
  emptyUntilMs: number
  /** Messages that wait for the block being fetched. */
  waiting: number
  fetching: Promise<void> | null
}

/** Returns how many to take at once: enough for all that wait, and slightly more. */
export function blockSize(limit: number, waiting: number): number {
  const ahead = Math.min(BLOCK_MAX, Math.max(BLOCK_MIN, Math.floor(limit / BLOCKS_PER_DAY)))
  return Math.max(waiting, ahead)
}

/**
 * The messages that warming sources may still send today. The database holds a row for each source, provider group and
 * UTC day; this process takes messages from it in blocks, so that a message costs no write. States of a block: *full*
 * (draws cost nothing), *fetching* (draws wait for it together), *empty* (nothing was left; asked again later). The
 * rest is returned when the block is idle and at shutdown; a crash loses it, which only reduces sending.
 */
export class WarmupRoom {
  readonly #deps: WarmupRoomDeps
  readonly #blocks = new Map<string, Block>()
  readonly #sweep: { stop(): Promise<void> }

  constructor(deps: WarmupRoomDeps) {
    this.#deps = deps
    this.#sweep = repeat('give back idle warm-up blocks', IDLE_MS, () => this.#giveBackIdle(), deps.log)
  }

  /** Draws one message of the limit; false when today has no more. */
  async draw(key: WarmupKey, limit: number): Promise<boolean> {
    if (limit <= 0) return false
    const block = this.#blockOf(key)
    for (;;) {
      const nowMs = this.#deps.clock.now().getTime()
      if (block.left > 0) {
        block.left--
        block.drawnAtMs = nowMs
        return true
      }
      if (block.emptyUntilMs > nowMs) return false
      block.waiting++
      try {
        block.fetching ??= this.#fetch(block, limit).finally(() => {
          block.fetching = null
        })
        await block.fetching
      } finally {
        block.waiting--
      }
    }
  }

  /** Undoes one `draw`: the message was not sent. */
  undraw(key: WarmupKey): void {
    const block = this.#blockOf(key)
    block.left++
    block.drawnAtMs = this.#deps.clock.now().getTime()
    block.emptyUntilMs = 0
  }

  /** Returns the rest of all blocks. New draws take new ones, by the limits of that time. */
  async giveBack(): Promise<void> {
    await this.#giveBackThose(() => true)
  }

  async close(): Promise<void> {
    await this.#sweep.stop()
    await this.giveBack()
  }

  #blockOf(key: WarmupKey): Block {
    const name = `${key.source}/${key.group}/${key.day}`
    const block = this.#blocks.get(name)
    if (block !== undefined) return block
    const drawnAtMs = this.#deps.clock.now().getTime()
    const newBlock: Block = { key, left: 0, drawnAtMs, emptyUntilMs: 0, waiting: 0, fetching: null }
    this.#blocks.set(name, newBlock)
    return newBlock
  }

  async #fetch(block: Block, limit: number): Promise<void> {
    // Include the draws that come from the same claim.
    await Promise.resolve()
    const { granted } = await this.#deps.take(block.key, blockSize(limit, block.waiting), limit)
    block.left += granted
    if (granted === 0) block.emptyUntilMs = this.#deps.clock.now().getTime() + ASK_AGAIN_MS
  }

  async #giveBackIdle(): Promise<void> {
    const beforeMs = this.#deps.clock.now().getTime() - IDLE_MS
    await this.#giveBackThose(({ drawnAtMs }) => drawnAtMs <= beforeMs)
  }

  /** Removes the blocks too, also those of past days. */
  async #giveBackThose(test: (block: Block) => boolean): Promise<void> {
    for (const [name, block] of this.#blocks) {
      if (block.waiting > 0 || !test(block)) continue
      const { left } = block
      block.left = 0
      this.#blocks.delete(name)
      if (left > 0) await this.#giveBackSafely(block.key, left)
    }
  }

  /**
   * A write with an unknown outcome is not repeated: the messages are lost, as in a crash, and the other blocks are
   * returned.
   */
  async #giveBackSafely(key: WarmupKey, count: number): Promise<void> {
    try {
      await this.#deps.giveBack(key, count)
    } catch (error) {
      this.#deps.log.warn(
        { err: error, ...key, count },
        'could not return the rest of a warm-up block; fewer messages are sent today',
      )
    }
  }
}
