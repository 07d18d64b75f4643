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

export interface LoopSlicerOptions {
  /** The time budget of each round, in milliseconds. */
  sliceMs: number
  heldMax: number
  /** See queue/backpressure.ts. */
  yieldTurn(): Promise<void> | null
}

export function createLoopSlicer({ sliceMs, heldMax, yieldTurn }: LoopSlicerOptions): LoopSlicer {
  /** In order of arrival; skipped turns are removed. */
  const waiting = new Set<() => void>()
  /** Those of them that cannot wait. */
  const urgent = new Set<() => void>()
  let hasPassed = false
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
    return roundStartedMs + sliceMs - nowMs
  }

  function schedule(): void {
    if (isPumping || waiting.size === 0 || held >= heldMax) return
    isPumping = true
    setImmediate(() => void pump())
  }

  async function pump(): Promise<void> {
    await yieldTurn()
    const endMs = performance.now() + sliceMs
    while (waiting.size > 0 && held < heldMax && performance.now() < endMs) {
      takeNext()()
      await nextTick()
    }
    isPumping = false
    schedule()
  }

  function takeNext(): () => void {
    const [first] = (hasPassed && urgent.size > 0 ? urgent : waiting) as Iterable<() => void> as [() => void]
    hasPassed = !urgent.has(first)
    return first
  }

  return {
    enter(canWait = false) {
      if (waiting.size === 0 && held < heldMax && yieldTurn() === null && leftMs() > 0) return null
      const { promise: come, resolve } = Promise.withResolvers<void>()
      const begin = () => {
        waiting.delete(begin)
        urgent.delete(begin)
        resolve()
      }
      const hurry = () => {
        if (waiting.has(begin)) urgent.add(begin)
      }
      waiting.add(begin)
      if (!canWait) hurry()
      schedule()
      return { come, skip: begin, hurry }
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
