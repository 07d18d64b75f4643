import { OverloadedError } from './batcher.ts'

/** Runs up to `countMax` pieces of work at a time; further ones wait in order. */
export interface TakeTurn {
  <T>(work: () => Promise<T>): Promise<T>
  /** Throws OverloadedError when no more may wait: for work that must not start in vain. */
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
      // The place passes to the longest waiting; it becomes free only when none waits.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
  return Object.assign(take, { requireRoom })
}
