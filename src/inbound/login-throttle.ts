import type { Clock } from '../base/clock.ts'
import { networkOf } from './smtp/network-of.ts'

const WINDOW_MS = 60_000
const FAILURES_MAX = 10
/** Beyond this many addresses the oldest are forgotten. */
const ADDRESSES_MAX = 10_000

interface Failures {
  count: number
  endsAtMs: number
}

export interface LoginThrottle {
  /** Whole seconds until the address may try again; 0 when it may. */
  waitSeconds(address: string): number
  noteFailure(address: string): void
}

/**
 * Wrong logins by address: ten a minute, then none is looked up until that minute is over. Keys are far too long to be
 * guessed; this keeps who tries from costing the database anything.
 */
export function createLoginThrottle(clock: Clock): LoginThrottle {
  const failures = new Map<string, Failures>()

  function current(network: string, nowMs: number): Failures | null {
    const known = failures.get(network)
    // A clock that jumped back must not hold the door shut.
    if (known === undefined || known.endsAtMs <= nowMs || known.endsAtMs > nowMs + WINDOW_MS) return null
    return known
  }

  return {
    waitSeconds(address) {
      const nowMs = clock.now().getTime()
      const known = current(networkOf(address), nowMs)
      return known === null || known.count < FAILURES_MAX ? 0 : Math.ceil((known.endsAtMs - nowMs) / 1000)
    },
    noteFailure(address) {
      const network = networkOf(address)
      const nowMs = clock.now().getTime()
      const known = current(network, nowMs)
      if (known !== null) {
        known.count++
        return
      }
      failures.delete(network)
      const [oldest] = failures.keys()
      if (failures.size >= ADDRESSES_MAX && oldest !== undefined) failures.delete(oldest)
      failures.set(network, { count: 1, endsAtMs: nowMs + WINDOW_MS })
    },
  }
}
