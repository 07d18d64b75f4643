import { OverloadedError } from './batcher.ts'

/** Runs `work`, `countMax` pieces at a time at most; what comes beyond waits in order. */
export interface TakeTurn {
  <T>(work: () => Promise<T>): Promise<T>
  /** Throws OverloadedError where nobody else may wait: for what must not be begun in vain. */
  requireRoom(): void
}

/**
 * @param countMax how many pieces run at once
 * @param waitingMax how many may wait; beyond that OverloadedError is thrown
 */
export function createSemaphore(countMax: number, waitingMax = Number.POSITIVE_INFINITY): TakeTurn {
  const waiting: (() => void)[] = []
  let running = 0
  const requireRoom = () => {
    if (running >= countMax && waiting.length >= waitingMax) throw new OverloadedError()
  }
  const take = async <T>(work: () => Promise<T>): Promise<T> => {
    requireRoom()
    if (running < countMax) running++
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
  return Object.assign(take, { requireRoom })
}
