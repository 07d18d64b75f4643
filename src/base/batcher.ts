/**
 * Group commit for anything: what arrives while a run is under way is done together by the next one. No timer, so a
 * lone item waits for nothing; under load one run serves hundreds.
 *
 * States of an item: waiting -> running -> answered. `waiting` is bounded by `waitingMax`; past it `add` throws Busy.
 */
export interface Batcher<Item, Answer> {
  add(item: Item): Promise<Answer>
  /** Resolves when nothing waits and nothing runs. */
  idle(): Promise<void>
  readonly waiting: number
}

export interface BatcherOptions<Item, Answer> {
  /** Answers in the order of the items. A thrown error rejects them all; an Error as an answer rejects that one. */
  run(items: Item[]): Promise<(Answer | Error)[]>
  /** Most items of one run. */
  itemsMax: number
  /** Most weight (bytes, say) of one run; a single heavier item still runs, alone. */
  weightMax?: number
  weigh?(item: Item): number
  /** Runs at the same time. */
  runsMax?: number
  waitingMax?: number
  /** True for an error that means the same for everything that waits (the database is away): all are rejected now. */
  rejectsAll?(error: unknown): boolean
}

/** More is waiting than is allowed. */
export class Busy extends Error {
  constructor() {
    super('Too much is waiting already.')
    this.name = 'Busy'
  }
}

interface Waiting<Item, Answer> {
  item: Item
  resolve(answer: Answer): void
  reject(error: unknown): void
}

export function createBatcher<Item, Answer>(options: BatcherOptions<Item, Answer>): Batcher<Item, Answer> {
  const { run, itemsMax, weightMax = Number.POSITIVE_INFINITY, weigh = () => 0 } = options
  const { runsMax = 1, waitingMax = Number.POSITIVE_INFINITY, rejectsAll = () => false } = options
  let waiting: Waiting<Item, Answer>[] = []
  let running = 0
  let scheduled = false
  let idlers: (() => void)[] = []

  function takeBatch(): Waiting<Item, Answer>[] {
    let weight = 0
    let count = 0
    while (count < waiting.length && count < itemsMax) {
      weight += weigh((waiting[count] as Waiting<Item, Answer>).item)
      if (count > 0 && weight > weightMax) break
      count++
    }
    const batch = waiting.slice(0, count)
    waiting = waiting.slice(count)
    return batch
  }

  async function runBatch(batch: Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await run(batch.map((entry) => entry.item))
      batch.forEach((entry, index) => {
        const answer = answers[index] as Answer | Error
        if (answer instanceof Error) entry.reject(answer)
        else entry.resolve(answer)
      })
    } catch (error) {
      for (const entry of batch) entry.reject(error)
      if (rejectsAll(error)) {
        const rest = waiting
        waiting = []
        for (const entry of rest) entry.reject(error)
      }
    }
  }

  function pump(): void {
    scheduled = false
    while (running < runsMax && waiting.length > 0) {
      running++
      void runBatch(takeBatch()).finally(() => {
        running--
        schedule()
      })
    }
    if (running === 0 && waiting.length === 0) {
      const done = idlers
      idlers = []
      for (const resolve of done) resolve()
    }
  }

  /** One turn of the event loop lets requests that arrived in the same read share a run. */
  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(pump)
  }

  return {
    add(item) {
      if (waiting.length >= waitingMax) return Promise.reject(new Busy())
      return new Promise<Answer>((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        schedule()
      })
    },
    idle() {
      if (running === 0 && waiting.length === 0) return Promise.resolve()
      return new Promise((resolve) => idlers.push(resolve))
    },
    get waiting() {
      return waiting.length
    },
  }
}
