import { Busy } from './batcher.ts'
import { createFairBudget } from './fair-budget.ts'

/** Lets a few pieces of work of a process run at a time, and no team take all of the places (fair-budget.ts). */
export interface FairGate {
  /** Waits for a place, then works. Rejects with Busy when it has waited too long. */
  run<T>(teamId: string, work: () => Promise<T>): Promise<T>
}

interface Waiting {
  teamId: string
  enter(): void
}

export function createFairGate({ places, waitMs }: { places: number; waitMs: number }): FairGate {
  const budget = createFairBudget(places)
  /** In the order of their coming; whose team has its share is passed over. */
  const waiting = new Set<Waiting>()

  async function enter(teamId: string): Promise<void> {
    if (budget.take(teamId, 1)) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const one = { teamId, enter: resolve }
    waiting.add(one)
    const timer = setTimeout(() => {
      if (waiting.delete(one)) reject(new Busy())
    }, waitMs)
    await promise.finally(() => clearTimeout(timer))
  }

  function leave(teamId: string): void {
    budget.giveBack(teamId, 1)
    for (const one of waiting) {
      if (!budget.take(one.teamId, 1)) continue
      waiting.delete(one)
      one.enter()
    }
  }

  return {
    async run(teamId, work) {
      await enter(teamId)
      try {
        return await work()
      } finally {
        leave(teamId)
      }
    },
  }
}
