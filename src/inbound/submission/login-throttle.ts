import { hash } from 'node:crypto'
import { networkOf } from '../../lib/net/network-of.ts'
import type { Clock } from '../../lib/time/clock.ts'

const WINDOW_MS = 60_000
const FAILURES_MAX = 10
/** Beyond this many addresses the oldest are forgotten. */
const ADDRESSES_MAX = 10_000
/** Beyond this many passwords those used longest ago are forgotten. */
const PASSWORDS_MAX = 10_000

interface Failures {
  count: number
  endsAtMs: number
}

export interface LoginThrottle {
  /** Whole seconds until the address may try this password; 0 when it may. */
  waitSeconds(address: string, password: string): number
  noteFailure(address: string, password: string): void
  noteSuccess(password: string): void
}

/**
 * Wrong logins by address: ten a minute, then none is looked up until that minute is over. Keys are far too long to be
 * guessed; this keeps who tries from costing the database anything. A password that was right before may always be
 * tried: behind one address (a container's host, an office) one program with a wrong key must not shut out the others.
 */
export function createLoginThrottle(clock: Clock): LoginThrottle {
  const failures = new Map<string, Failures>()
  /** Hashes: nothing here could be used to log in. */
  const right = new Set<string>()

  function current(network: string, nowMs: number): Failures | null {
    const known = failures.get(network)
    // A clock that jumped back must not hold the door shut.
    if (known === undefined || known.endsAtMs <= nowMs || known.endsAtMs > nowMs + WINDOW_MS) return null
    return known
  }

  return {
    waitSeconds(address, password) {
      if (right.has(hash('sha256', password))) return 0
      const nowMs = clock.now().getTime()
      const known = current(networkOf(address), nowMs)
      return known === null || known.count < FAILURES_MAX ? 0 : Math.ceil((known.endsAtMs - nowMs) / 1000)
    },
    noteFailure(address, password) {
      right.delete(hash('sha256', password))
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
    noteSuccess(password) {
      const name = hash('sha256', password)
      right.delete(name)
      right.add(name)
      const [oldest] = right
      if (right.size > PASSWORDS_MAX && oldest !== undefined) right.delete(oldest)
    },
  }
}
