/**
 * How many may work at a time, in the order in which they ask. Who has to wait for something else gives the slot back meanwhile,
 * so that many who mostly wait keep nobody from working.
 */
export class Slots {
  #freeCount: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#freeCount = count
  }

  /** Whether somebody waits for a slot. */
  get isWanted(): boolean {
    return this.#waiting.length > 0
  }

  /** Does work with a slot. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#take()
    try {
      return await work()
    } finally {
      this.#give()
    }
  }

  /** Lets others have the slot during a wait. Only for work that has one. */
  async meanwhile(wait: () => Promise<void>): Promise<void> {
    this.#give()
    try {
      await wait()
    } finally {
      await this.#take()
    }
  }

  async #take(): Promise<void> {
    if (this.#freeCount > 0) {
      this.#freeCount--
      return
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Hands the slot to the one that has waited longest. */
  #give(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#freeCount++
    else next()
  }
}
