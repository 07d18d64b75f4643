/**
 * Pieces of work that are many at once, a few in each round of the event loop. Whatever else comes in (a request, a
 * statement's answer) waits for the round that is under way: a round in which hundreds begin a message takes a tenth of
 * a second. What is begun a little later is not done later: the processor is as busy as before.
 */
export interface LoopSlicer {
  /** Null: the work may begin at once. */
  enter(): Turn | null
  /** Something that turns lead to is under way elsewhere (on another thread); with too much of it there are no turns. */
  hold(): () => void
}

export interface Turn {
  readonly come: Promise<void>
  /** It need not be waited for any longer. */
  skip(): void
}

export interface LoopSlicerOptions {
  /** Of each round. */
  sliceMs: number
  heldMax: number
  /** See queue/backpressure.ts. */
  yieldTurn(): Promise<void> | null
}

export function createLoopSlicer({ sliceMs, heldMax, yieldTurn }: LoopSlicerOptions): LoopSlicer {
  /** In the order of their coming; those who skip leave it. */
  const waiting = new Set<() => void>()
  let roundStartedMs: number | null = null
  let isPumping = false
  let held = 0

  /** Milliseconds of this round's slice that are left. */
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
      const [first] = waiting as Iterable<() => void> as [() => void]
      first()
      // Ticks come when promises have run: what was begun has done its part by then.
      await new Promise<void>((resolve) => process.nextTick(resolve))
    }
    isPumping = false
    schedule()
  }

  return {
    enter() {
      if (waiting.size === 0 && held < heldMax && yieldTurn() === null && leftMs() > 0) return null
      const { promise: come, resolve } = Promise.withResolvers<void>()
      const begin = () => {
        waiting.delete(begin)
        resolve()
      }
      waiting.add(begin)
      schedule()
      return { come, skip: begin }
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
