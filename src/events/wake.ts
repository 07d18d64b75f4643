import type { Db } from '../db/db.ts'
import { type Listener, listenOn } from '../db/listen.ts'
import type { Log } from '../lib/log.ts'
import { EVENTS_TOPIC } from './record.ts'

/** Other processes are told at most so often: a NOTIFY makes the commits of the whole installation wait in line. */
const HINT_MS = 50

/** Tells whoever waits for events that there may be new ones: at once in this process, soon in others. */
export interface EventWake {
  /** For `DbOptions.onCommitted` of every pool whose transactions record events. */
  committed(topics: readonly string[]): void
  /** Calls `wake` whenever events may have been written, here or elsewhere. Returns how to end that. */
  subscribe(wake: () => void): () => void
  stop(): Promise<void>
}

/**
 * Never more than hints: whoever waits also looks by itself now and then.
 * @param connect the pool to hear and tell others by; asked for at the first use, because the pools need this first
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
    connect()
      .query("select pg_notify('sendwright_events', '')")
      .catch((error) => log.debug({ err: error }, 'could not tell other processes of new events'))
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
