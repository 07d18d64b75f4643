/** The limit on concurrent requests of all endpoints beyond one each. */
const EXTRA_MAX = 256
/**
 * The limit on unwritten results of all endpoints, each up to some 4 KB. While the database is unavailable, no more
 * requests start.
 */
const UNWRITTEN_MAX = 10_000

/** The limits that the workers of a process share. Every worker may always have one request on the wire. */
export class WorkerBudget {
  #extra = 0
  unwrittenCount = 0

  get hasExtra(): boolean {
    return this.#extra < EXTRA_MAX
  }

  get isFull(): boolean {
    return this.unwrittenCount >= UNWRITTEN_MAX
  }

  takeExtra(): void {
    this.#extra++
  }

  giveBackExtra(): void {
    this.#extra--
  }
}
