import type { DueDelivery, LoadedMessage } from '../queue/types.ts'

/** Messages of 37.5 MB that are in memory at once, beside those small enough to come with their claim. */
const AT_ONCE_MAX = 4

/**
 * Contents too large to be loaded with a claimed batch: loaded when a connection is about to send them, a few at a
 * time, and let go of afterwards. Recipients of one email that are served at the same time share one load.
 */
export function createLargeMessages(load: (delivery: DueDelivery) => Promise<LoadedMessage>) {
  const loaded = new Map<string, { message: Promise<LoadedMessage>; users: number }>()
  const waiting: (() => void)[] = []
  let free = AT_ONCE_MAX

  async function takePlace(): Promise<void> {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  /** The place goes to who waits longest. */
  function leavePlace(): void {
    const next = waiting.shift()
    if (next === undefined) free++
    else next()
  }

  /** Each content holds one place, taken by whoever needs it first and left by whoever needs it last. */
  function share(delivery: DueDelivery) {
    const known = loaded.get(delivery.emailId)
    if (known !== undefined) return known
    const fresh = { message: takePlace().then(() => load(delivery)), users: 0 }
    loaded.set(delivery.emailId, fresh)
    return fresh
  }

  /** Does `work` with the delivery's content, which must not be kept beyond it. Rejects as `load` and `work` do. */
  return async function withMessage<T>(
    delivery: DueDelivery,
    work: (message: LoadedMessage) => Promise<T>,
  ): Promise<T> {
    if (delivery.message !== null) return work(delivery.message)
    const shared = share(delivery)
    shared.users++
    try {
      return await work(await shared.message)
    } finally {
      shared.users--
      if (shared.users === 0) {
        loaded.delete(delivery.emailId)
        leavePlace()
      }
    }
  }
}
