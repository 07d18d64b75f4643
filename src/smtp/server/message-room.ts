import { createFairBudget } from '../../lib/async/fair-budget.ts'

/** Memory for large messages: taken before they are received, shared by owners (lib/async/fair-budget.ts). */
export interface MessageRoom {
  /** Waits until there is room for so many bytes; false when it has waited too long. */
  take(owner: string, bytes: number): Promise<boolean>
  giveBack(owner: string, bytes: number): void
}

interface Waiting {
  owner: string
  bytes: number
  end(isTaken: boolean): void
}

/**
 * A message gets all its room or none: if each took what it has received so far, several that come at once would fill
 * the memory together and none would be whole. Whoever waits is not read from, so the client's own sending waits.
 */
export function createMessageRoom(bytesMax: number, waitMs: number): MessageRoom {
  const budget = createFairBudget(bytesMax)
  /** In the order of their coming; whose owner has its share is passed over. */
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
