/**
 * Spreads many similar pieces of work over rounds of the event loop, a few in each. Other events (a request, a
 * statement's result) wait until the current round ends, and a round that starts hundreds of messages takes a tenth of
 * a second. Starting some of them later does not finish them later, because the processor is equally busy.
 */
export interface LoopSlicer {
  /**
   * Returns null if the work may start at once, or else a turn to wait for. Turns are granted in order of arrival. The
   * exception: while urgent work waits, no two turns in a row go to work that can wait.
   */
  enter(canWait?: boolean): Turn | null
  /**
   * Counts follow-up work that runs elsewhere (on another thread). While there is too much of it, no turn is granted.
   * Returns the function that ends it.
   */
  hold(): () => void
}

export interface Turn {
  /** Resolves when the work may start. */
  readonly granted: Promise<void>
  /** Grants the turn now. */
  skip(): void
  /** Marks the work as urgent: it can no longer wait. */
  markUrgent(): void
}

/** How much work may start. */
export interface SlicerPace {
  /** The time budget of each round, in milliseconds. */
  sliceMs: number
  /** The count of follow-up work from which no turn is granted. */
  heldMax: number
}

export interface LoopSlicerOptions {
  pace(): SlicerPace
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
      if (!canWait) turn.markUrgent()
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

/**
 * Resolves after all settled promises have run their callbacks. The work that was started has done its part by then.
 */
function nextTick(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}

/** The turns that are not granted yet. */
class TurnOrder {
  /** In order of arrival; skipped turns are removed. */
  readonly #all = new Set<() => void>()
  /** The urgent ones among them. */
  readonly #urgent = new Set<() => void>()
  /** Whether the last turn went to work that can wait. */
  #wasPatient = false

  get size(): number {
    return this.#all.size
  }

  add(): Turn {
    const { promise: granted, resolve } = Promise.withResolvers<void>()
    const begin = () => {
      this.#all.delete(begin)
      this.#urgent.delete(begin)
      resolve()
    }
    this.#all.add(begin)
    const markUrgent = () => {
      if (this.#all.has(begin)) this.#urgent.add(begin)
    }
    return { granted, skip: begin, markUrgent }
  }

  /** Grants the next turn. */
  begin(): void {
    const [first] = this.#wasPatient && this.#urgent.size > 0 ? this.#urgent : this.#all
    this.#wasPatient = first !== undefined && !this.#urgent.has(first)
    first?.()
  }
}
