import type { DueDelivery } from '../../queue/types.ts'

type Kind = Pick<DueDelivery, 'isBulk' | 'message'>

/** The lanes of one site that have bulk mail, or a large message, and how many more of them may start. */
export class BusyLanes {
  #bulk = 0
  #large = 0

  /** The lanes that have a large message: they send it, or wait for a place in memory for it. */
  get large(): number {
    return this.#large
  }

  begin(delivery: Kind): void {
    this.#count(delivery, 1)
  }

  end(delivery: Kind): void {
    this.#count(delivery, -1)
  }

  #count({ isBulk, message }: Kind, change: 1 | -1): void {
    if (isBulk) this.#bulk += change
    if (message === null) this.#large += change
  }

  /**
   * Returns the number of lanes that may still start bulk mail. One lane is reserved for transactional mail, so that it
   * never waits until a bulk message, perhaps a large one to a slow server, is sent. A site that allows a single
   * connection has no such lane.
   * @param limit the site's connection limit
   */
  bulkLeft(limit: number): number {
    return Math.max(0, Math.max(1, limit - 1) - this.#bulk)
  }

  /**
   * Returns the number of lanes that may still start a large message. Such a lane may wait long for a place in memory
   * that slow servers elsewhere hold (dispatch/large-messages.ts), so half of the lanes, but not the only one, are
   * reserved for other messages.
   */
  largeLeft(limit: number): number {
    return Math.max(0, Math.max(1, Math.floor(limit / 2)) - this.#large)
  }
}
