/**
 * Group commit for any work: the next run handles everything that arrives during the current one. A lone item does not
 * wait; under load one run serves hundreds. With `gather`, a run waits a moment for more while much is in progress.
 *
 * States of an item: waiting -> running -> answered. `waiting` is bounded by `waitingMax` and `waitingWeightMax`;
 * beyond them `add` rejects with OverloadedError.
 */
export interface Batcher<Item, Answer> {
  add(item: Item): Promise<Answer>
}

/** When a run waits for more items: one large run costs less than several small ones. */
export interface Gathering {
  /** The most milliseconds that a run waits. */
  waitMsMax: number
  /** Runs wait while at least as many items are in progress, or after a run of at least as many. */
  countMin: number
  /** Returns how many items may still arrive or wait already. Once all of these wait, the run waits no longer. */
  inProgressCount(): number
  /** Once aborted, no run waits, and the wait of the current one ends. */
  stopped?: AbortSignal
}

export interface BatcherOptions<Item, Answer> {
  /**
   * Returns answers in the order of the items. A thrown error rejects them all; an Error as an answer rejects that one.
   */
  run(items: Item[]): Promise<(Answer | Error)[]>
  gather?: Gathering
  /** Each run waits for it before it takes its items, and includes those that arrive meanwhile. */
  ready?(): Promise<void>
  /** The most items in one run. */
  itemsMax: number
  /** The most weight (such as bytes) in one run; a single heavier item still runs, alone. */
  weightMax?: number
  weigh?(item: Item): number
  /** Concurrent runs. */
  runsMax?: number
  /** How many items must wait before a concurrent run begins: many small runs cost more than they gain. */
  overlapAt?: number
  waitingMax?: number
  /** The most weight that may wait; a single heavier item may still wait, alone. */
  waitingWeightMax?: number
  /** True for an error that applies to everything that waits (the database is down): all are rejected now. */
  rejectsAll?(error: unknown): boolean
}

/** Thrown when more work waits than is allowed. */
export class OverloadedError extends Error {
  constructor() {
    super('Too much is waiting already.')
    this.name = 'OverloadedError'
  }
}

interface Waiting<Item, Answer> {
  item: Item
  resolve(answer: Answer): void
  reject(error: unknown): void
}

const DEFAULTS = {
  runsMax: 1,
  overlapAt: 1,
  waitingMax: Number.POSITIVE_INFINITY,
  waitingWeightMax: Number.POSITIVE_INFINITY,
}

export function createBatcher<Item, Answer>(options: BatcherOptions<Item, Answer>): Batcher<Item, Answer> {
  const batcher = new GroupBatcher(options)
  return { add: (item) => batcher.add(item) }
}

class GroupBatcher<Item, Answer> {
  readonly #options: BatcherOptions<Item, Answer> & typeof DEFAULTS
  #waiting: Waiting<Item, Answer>[] = []
  #waitingWeight = 0
  #running = 0
  #isScheduled = false
  #lastCount = 0
  /** Ends the wait of a gathering run if it has reason to. */
  #onAdded = () => {}

  constructor(options: BatcherOptions<Item, Answer>) {
    this.#options = { ...DEFAULTS, ...options }
    if (options.gather !== undefined && this.#options.runsMax > 1)
      throw new Error('Only one run at a time can gather.')
  }

  add(item: Item): Promise<Answer> {
    const { waitingMax, waitingWeightMax } = this.#options
    const weight = this.#weigh(item)
    const isTooHeavy = this.#waiting.length > 0 && this.#waitingWeight + weight > waitingWeightMax
    if (isTooHeavy || this.#waiting.length >= waitingMax) return Promise.reject(new OverloadedError())
    this.#waitingWeight += weight
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#onAdded()
      this.#schedule()
    })
  }

  #weigh(item: Item): number {
    return this.#options.weigh?.(item) ?? 0
  }

  /** One turn of the event loop lets requests that arrived in the same read share a run. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#pump())
  }

  #pump(): void {
    const { runsMax, overlapAt } = this.#options
    this.#isScheduled = false
    while (this.#running < runsMax && this.#waiting.length >= (this.#running === 0 ? 1 : overlapAt)) {
      this.#running++
      void this.#runNext().finally(() => {
        this.#running--
        this.#schedule()
      })
    }
  }

  async #runNext(): Promise<void> {
    const { gather, ready, run, rejectsAll } = this.#options
    if (gather !== undefined) await this.#gatherMore(gather)
    await ready?.()
    const batch = this.#takeFirst(countOfBatch(this.#waiting, this.#options))
    this.#lastCount = batch.length
    if (batch.length === 0) return
    try {
      settleEach(batch, await run(batch.map((entry) => entry.item)))
    } catch (error) {
      for (const entry of batch) entry.reject(error)
      if (rejectsAll?.(error) === true)
        for (const entry of this.#takeFirst(this.#waiting.length)) entry.reject(error)
    }
  }

  async #gatherMore(gathering: Gathering): Promise<void> {
    if (!this.#isWorthWaiting(gathering)) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, gathering.waitMsMax)
    const endIfDone = () => {
      if (!this.#isWorthWaiting(gathering)) resolve()
    }
    this.#onAdded = endIfDone
    gathering.stopped?.addEventListener('abort', endIfDone)
    await promise
    clearTimeout(timer)
    gathering.stopped?.removeEventListener('abort', endIfDone)
    this.#onAdded = () => {}
  }

  /** Returns whether a run should wait for items that are in progress and do not wait yet. */
  #isWorthWaiting({ countMin, inProgressCount, stopped }: Gathering): boolean {
    if (stopped?.aborted === true || this.#waiting.length >= this.#options.itemsMax) return false
    const count = inProgressCount()
    return Math.max(count, this.#lastCount) >= countMin && this.#waiting.length < count
  }

  /** Removes and returns the first `count` waiting items. */
  #takeFirst(count: number): Waiting<Item, Answer>[] {
    const batch = this.#waiting.slice(0, count)
    this.#waiting = this.#waiting.slice(count)
    for (const { item } of batch) this.#waitingWeight -= this.#weigh(item)
    return batch
  }
}

/** Returns how many waiting items, from the first on, fit into one run. */
function countOfBatch<Item, Answer>(
  waiting: readonly Waiting<Item, Answer>[],
  { itemsMax, weightMax = Number.POSITIVE_INFINITY, weigh = () => 0 }: BatcherOptions<Item, Answer>,
): number {
  let weight = 0
  let count = 0
  while (count < waiting.length && count < itemsMax) {
    weight += weigh((waiting[count] as Waiting<Item, Answer>).item)
    if (count > 0 && weight > weightMax) break
    count++
  }
  return count
}

function settleEach<Item, Answer>(
  batch: readonly Waiting<Item, Answer>[],
  answers: readonly (Answer | Error)[],
): void {
  for (const [index, entry] of batch.entries()) {
    const answer = answers[index] as Answer | Error
    if (answer instanceof Error) entry.reject(answer)
    else entry.resolve(answer)
  }
}
