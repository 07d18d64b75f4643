import { Busy } from './batcher.ts'

/** Runs `work`, `countMax` pieces at a time at most; what comes beyond waits in order. */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>

/**
 * @param countMax how many pieces run at once
 * @param waitingMax how many may wait; beyond that Busy is thrown
 */
export function createTurns(countMax: number, waitingMax = Number.POSITIVE_INFINITY): TakeTurn {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < countMax) running++
    else if (waiting.length >= waitingMax) throw new Busy()
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes on to whoever waits longest; it is free only when nobody does.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
