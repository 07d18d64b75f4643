import type { Db } from '../db/db-types.ts'
import { type Listener, listenOn, notify } from '../db/listen.ts'
import type { Log } from '../lib/log.ts'
import { EVENTS_TOPIC } from './record-queries.ts'

/**
 * Minimum gap between notifications of other processes, because a NOTIFY serializes the commits of the whole
 * installation.
 */
const HINT_MS = 50

/** Wakes waiting readers when there may be new events: at once in this process, soon in others. */
export interface EventWake {
  /** For `DbOptions.onCommitted` of every pool whose transactions record events. */
  committed(topics: readonly string[]): void
  /** Calls `wake` whenever events may have been written, here or elsewhere. Returns the function that unsubscribes. */
  subscribe(wake: () => void): () => void
  stop(): Promise<void>
}

/**
 * Creates the wake. Notifications are only hints: readers also check periodically.
 * @param connect returns the pool for notifications; called at the first use, because the pools need this first
 */
export function createEventWake(connect: () => Db, log: Log): EventWake {
  const subscribers = new Set<() => void>()
  let timer: NodeJS.Timeout | null = null
  let listener: Listener | null = null

  function wakeAll(): void {
    for (const wake of subscribers) wake()
  }

  function notifyOthers(): void {
    timer = null
    notify(connect(), 'sendwright_events').catch((error) =>
      log.debug({ err: error }, 'could not notify other processes of new events'),
    )
  }

  return {
    committed(topics) {
      if (!topics.includes(EVENTS_TOPIC)) return
      wakeAll()
      timer ??= setTimeout(notifyOthers, HINT_MS).unref()
    },
    subscribe(wake) {
      if (listener === null) {
        listener = listenOn(connect(), log, 'sendwright_events', wakeAll)
        listener.start()
      }
      subscribers.add(wake)
      return () => subscribers.delete(wake)
    },
    async stop() {
      if (timer !== null) clearTimeout(timer)
      subscribers.clear()
      await listener?.stop()
    },
  }
}
