import { createFairBudget } from '../../lib/async/fair-budget.ts'

/**
 * Memory for large messages, reserved before the server receives them and shared among owners
 * (lib/async/fair-budget.ts).
 */
export interface MessageRoom {
  /** Waits until this many bytes are free, then reserves them. Resolves to false after the time limit. */
  take(owner: string, bytes: number): Promise<boolean>
  giveBack(owner: string, bytes: number): void
}

interface Waiting {
  owner: string
  bytes: number
  end(isTaken: boolean): void
}

/**
 * Creates the room. A message reserves its whole size or nothing: if reservations grew with the bytes received, several
 * messages could fill the memory and none would complete. The server does not read from a waiting client, so TCP flow
 * control stops it.
 */
export function createMessageRoom(bytesMax: number, waitMs: number): MessageRoom {
  const budget = createFairBudget(bytesMax)
  /** In order of arrival. Owners that already use their share are skipped. */
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
