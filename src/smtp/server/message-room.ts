import { createFairBudget } from '../../lib/async/fair-budget.ts'

/** Memory for large messages: reserved before they are received, shared by owners (lib/async/fair-budget.ts). */
export interface MessageRoom {
  /** Waits until there is room for this many bytes; false after too long a wait. */
  take(owner: string, bytes: number): Promise<boolean>
  giveBack(owner: string, bytes: number): void
}

interface Waiting {
  owner: string
  bytes: number
  end(isTaken: boolean): void
}

/**
 * Creates the room. A message gets all its room or none: if each took what it has received so far, several at once
 * would fill the memory and none would complete. A waiting client is not read from, so TCP stops its sending.
 */
export function createMessageRoom(bytesMax: number, waitMs: number): MessageRoom {
  const budget = createFairBudget(bytesMax)
  /** In order of arrival; owners that have their share are skipped. */
  const waiting = new Set<Waiting>()

  function admit(): void {
    for (const one of waiting) if (budget.take(one.owner, one.bytes)) one.end(true)
  }

  return {
    take(owner, bytes) {
      if (budget.take(owner, bytes)) return Promise.resolve(true)
      return new Promise((resolve) => {
        const timer = setTimeout(() => one.end(false), waitMs).unref()
        const one: Waiting = {
          owner,
          bytes,
          end(isTaken) {
            clearTimeout(timer)
            waiting.delete(one)
            resolve(isTaken)
          },
        }
        waiting.add(one)
      })
    },
    giveBack(owner, bytes) {
      budget.giveBack(owner, bytes)
      admit()
    },
  }
}
