import { OverloadedError } from './batcher.ts'
import { createFairBudget } from './fair-budget.ts'

/** Limits concurrent work in the process, and keeps one team from taking all places (fair-budget.ts). */
export interface FairSemaphore {
  /** Waits for a place, then runs `work`. Rejects with OverloadedError after too long a wait. */
  run<T>(teamId: string, work: () => Promise<T>): Promise<T>
}

type Enter = () => void

export function createFairSemaphore({ places, waitMs }: { places: number; waitMs: number }): FairSemaphore {
  const budget = createFairBudget(places)
  /** Each team's work in order of arrival; teams in turn, skipping those that have their share. */
  const waiting = new Map<string, Set<Enter>>()

  async function enter(teamId: string): Promise<void> {
    if (budget.take(teamId, 1)) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const ones = waiting.get(teamId) ?? new Set()
    waiting.set(teamId, ones.add(resolve))
    const timer = setTimeout(() => {
      remove(teamId, resolve)
      reject(new OverloadedError())
    }, waitMs)
    await promise.finally(() => clearTimeout(timer))
  }

  function remove(teamId: string, one: Enter): void {
    const ones = waiting.get(teamId)
    ones?.delete(one)
    if (ones?.size === 0) waiting.delete(teamId)
  }

  function leave(teamId: string): void {
    budget.giveBack(teamId, 1)
    for (const [team, ones] of waiting) {
      if (!budget.take(team, 1)) continue
      const first = ones.values().next().value as Enter
      ones.delete(first)
      // A Map keeps insertion order: setting the team again moves it behind the others, and this loop visits it once
      // more.
      waiting.delete(team)
      if (ones.size > 0) waiting.set(team, ones)
      first()
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
