/** Requests of all endpoints beyond one each. */
const EXTRA_MAX = 256
/** Results of all endpoints, each up to some 4 KB: while the database is away nothing more is sent. */
const UNWRITTEN_MAX = 10_000

/** What the lanes of a process share. Every lane may have one request on the wire, whatever others do. */
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
