/**
 * Spreads many similar pieces of work over rounds of the event loop, a few in each. Other events (a request, a
 * statement's result) wait for the current round to end, and a round that starts hundreds of messages takes a tenth of
 * a second. Starting some of them later does not finish them later: the processor is equally busy.
 */
export interface LoopSlicer {
  /**
   * Returns null when the work may start at once, else a turn to wait for. Turns come in order of arrival, except that two
   * works that can wait never go in a row before one that cannot.
   */
  enter(canWait?: boolean): Turn | null
  /**
   * Marks follow-up work in progress elsewhere (on another thread); with too much of it no turn is granted. Returns the
   * release function.
   */
  hold(): () => void
}

export interface Turn {
  readonly come: Promise<void>
  /** Ends the wait: `come` resolves now. */
  skip(): void
  /** The work cannot wait any more. */
  hurry(): void
}

/** How much may start. */
export interface Pace {
  /** The time budget of each round, in milliseconds. */
  sliceMs: number
  /** The follow-up work with which no turn is granted. */
  heldMax: number
}

export interface LoopSlicerOptions {
  pace(): Pace
  /** See queue/backpressure.ts. */
  yieldTurn(): Promise<void> | null
}

export function createLoopSlicer({ pace, yieldTurn }: LoopSlicerOptions): LoopSlicer {
  const waiting = new TurnOrder()
  let roundStartedMs: number | null = null
  let isPumping = false
  let held = 0

  /** Returns the milliseconds left of this round's slice. */
  function leftMs(): number {
    const nowMs = performance.now()
    if (roundStartedMs === null) {
      roundStartedMs = nowMs
      setImmediate(() => {
        roundStartedMs = null
      })
    }
    return roundStartedMs + pace().sliceMs - nowMs
  }

  function schedule(): void {
    if (isPumping || waiting.size === 0 || held >= pace().heldMax) return
    isPumping = true
    setImmediate(() => void pump())
  }

  async function pump(): Promise<void> {
    await yieldTurn()
    const { sliceMs, heldMax } = pace()
    const endMs = performance.now() + sliceMs
    while (waiting.size > 0 && held < heldMax && performance.now() < endMs) {
      waiting.begin()
      await nextTick()
    }
    isPumping = false
    schedule()
  }

  return {
    enter(canWait = false) {
      if (waiting.size === 0 && held < pace().heldMax && yieldTurn() === null && leftMs() > 0) return null
      const turn = waiting.add()
      if (!canWait) turn.hurry()
      schedule()
      return turn
    },
    hold() {
      held++
      let isHeld = true
      return () => {
        if (isHeld) held--
        isHeld = false
        schedule()
      }
    },
  }
}

/** Resolves after the promises that are ready have run: work that began has done its part by then. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}

/** The turns that are not granted yet. */
class TurnOrder {
  /** In order of arrival; skipped turns are removed. */
  readonly #all = new Set<() => void>()
  /** Those of them that cannot wait. */
  readonly #urgent = new Set<() => void>()
  /** Whether the last turn was of work that can wait. */
  #hasWaited = false

  get size(): number {
    return this.#all.size
  }

  add(): Turn {
    const { promise: come, resolve } = Promise.withResolvers<void>()
    const begin = () => {
      this.#all.delete(begin)
      this.#urgent.delete(begin)
      resolve()
    }
    this.#all.add(begin)
    const hurry = () => {
      if (this.#all.has(begin)) this.#urgent.add(begin)
    }
    return { come, skip: begin, hurry }
  }

  /** Grants the next turn. */
  begin(): void {
    const [first] = this.#hasWaited && this.#urgent.size > 0 ? this.#urgent : this.#all
    this.#hasWaited = first !== undefined && !this.#urgent.has(first)
    first?.()
  }
}
