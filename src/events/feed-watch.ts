import type { Log } from '../base/log.ts'
import type { Queryable } from '../store/db.ts'
import { findFeedEnds } from './feed.ts'
import type { EventWake } from './wake.ts'

export interface WaitOptions {
  timeoutMs: number
  /** Aborts when nobody waits any more. */
  signal: AbortSignal
}

/** Lets readers of the process wait for new events, together. */
export interface FeedWatch {
  /** True: the team's feed goes on behind `position`. False: the time is over, nobody waits any more, or all is to end. */
  waitPast(teamId: string, position: number, options: WaitOptions): Promise<boolean>
  /** Aborts when this process is to stop: whoever reads, ends. */
  readonly stopping: AbortSignal
  stop(): void
}

interface Waiter {
  position: number
  end(isPast: boolean): void
}

/** Under load one look serves what came meanwhile. */
const LOOK_GAP_MS = 25
/** The net under lost hints. */
const SLOW_LOOK_MS = 2_000

/**
 * Whoever waits is looked after by one statement for all teams, at a hint that events were written, when somebody new
 * waits (what was written between its last reading and now gave its hint already), and every other second in any case.
 *
 * States: idle -> due (a timer, as the last look is too near) -> looking -> idle, or due again when asked meanwhile.
 */
export function createFeedWatch({
  db,
  wake,
  log,
}: {
  db: Queryable
  wake: Pick<EventWake, 'subscribe'>
  log: Log
}): FeedWatch {
  const waiting = new Map<string, Set<Waiter>>()
  const stopping = new AbortController()
  let unsubscribe: (() => void) | null = null
  let timer: NodeJS.Timeout | null = null
  let isLooking = false
  let isAsked = false
  let lookedAtMs = Number.NEGATIVE_INFINITY
  const slowTimer = setInterval(askForLook, SLOW_LOOK_MS).unref()

  function askForLook(): void {
    if (waiting.size === 0) return
    isAsked = true
    if (timer !== null || isLooking) return
    timer = setTimeout(look, Math.max(0, lookedAtMs + LOOK_GAP_MS - performance.now()))
  }

  async function look(): Promise<void> {
    timer = null
    isAsked = false
    isLooking = true
    lookedAtMs = performance.now()
    try {
      const ends = await findFeedEnds(db, [...waiting.keys()])
      for (const [teamId, end] of ends) endThose(teamId, end)
    } catch (error) {
      log.debug({ err: error }, 'could not look for new events; trying again')
      isAsked = false
    } finally {
      isLooking = false
    }
    if (isAsked) askForLook()
  }

  function endThose(teamId: string, end: number): void {
    for (const waiter of waiting.get(teamId) ?? []) if (end > waiter.position) waiter.end(true)
  }

  function remove(teamId: string, waiter: Waiter): void {
    const ones = waiting.get(teamId)
    ones?.delete(waiter)
    if (ones?.size === 0) waiting.delete(teamId)
  }

  return {
    stopping: stopping.signal,
    async waitPast(teamId, position, { timeoutMs, signal }) {
      if (signal.aborted || stopping.signal.aborted) return false
      unsubscribe ??= wake.subscribe(askForLook)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const waiter = { position, end: resolve }
      const giveUp = () => resolve(false)
      const timeout = setTimeout(giveUp, timeoutMs)
      signal.addEventListener('abort', giveUp)
      waiting.set(teamId, (waiting.get(teamId) ?? new Set()).add(waiter))
      askForLook()
      return promise.finally(() => {
        clearTimeout(timeout)
        signal.removeEventListener('abort', giveUp)
        remove(teamId, waiter)
      })
    },
    stop() {
      stopping.abort()
      unsubscribe?.()
      clearInterval(slowTimer)
      if (timer !== null) clearTimeout(timer)
      for (const ones of waiting.values()) for (const waiter of ones) waiter.end(false)
    },
  }
}
