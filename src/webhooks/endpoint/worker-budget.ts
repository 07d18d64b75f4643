/** Concurrent requests of all endpoints beyond one each. */
const EXTRA_MAX = 256
/** Unwritten results of all endpoints, each up to some 4 KB: while the database is down nothing more is sent. */
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
