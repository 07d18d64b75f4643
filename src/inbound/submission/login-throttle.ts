import { hash } from 'node:crypto'
import { networkOf } from '../../lib/net/network-of.ts'
import type { Clock } from '../../lib/time/clock.ts'

const WINDOW_MS = 60_000
const FAILURES_MAX = 10
/** The limit on remembered addresses. Beyond it, the oldest are forgotten. */
const ADDRESSES_MAX = 10_000
/** The limit on remembered passwords. Beyond it, those used longest ago are forgotten. */
const PASSWORDS_MAX = 10_000

interface Failures {
  count: number
  endsAtMs: number
}

export interface LoginThrottle {
  /** Returns the whole seconds until the address may try this password, or 0. */
  waitSeconds(address: string, password: string): number
  recordFailure(address: string, password: string): void
  recordSuccess(password: string): void
}

/**
 * Limits failed logins by address: ten per minute, after which no password is looked up until the minute ends. API
 * keys are far too long to guess; the limit protects the database. A password that was correct before is always
 * allowed, so that one program with a wrong key does not lock out others behind the same address (a container's host,
 * an office).
 */
export function createLoginThrottle(clock: Clock): LoginThrottle {
  const failures = new Map<string, Failures>()
  /** Hashes only, which cannot be used to log in. */
  const verified = new Set<string>()

  function current(network: string, nowMs: number): Failures | null {
    const entry = failures.get(network)
    // A clock that jumped back must not extend the block.
    if (entry === undefined || entry.endsAtMs <= nowMs || entry.endsAtMs > nowMs + WINDOW_MS) return null
    return entry
  }

  return {
    waitSeconds(address, password) {
      if (verified.has(hash('sha256', password))) return 0
      const nowMs = clock.now().getTime()
      const entry = current(networkOf(address), nowMs)
      return entry === null || entry.count < FAILURES_MAX ? 0 : Math.ceil((entry.endsAtMs - nowMs) / 1000)
    },
    recordFailure(address, password) {
      verified.delete(hash('sha256', password))
      const network = networkOf(address)
      const nowMs = clock.now().getTime()
      const entry = current(network, nowMs)
      if (entry !== null) {
        entry.count++
        return
      }
      failures.delete(network)
      const [oldest] = failures.keys()
      if (failures.size >= ADDRESSES_MAX && oldest !== undefined) failures.delete(oldest)
      failures.set(network, { count: 1, endsAtMs: nowMs + WINDOW_MS })
    },
    recordSuccess(password) {
      const name = hash('sha256', password)
      verified.delete(name)
      verified.add(name)
      const [oldest] = verified
      if (verified.size > PASSWORDS_MAX && oldest !== undefined) verified.delete(oldest)
    },
  }
}
