import type { Admission } from '../../access/rate-limit.ts'
import { WINDOW_MS } from '../../access/rate-windows-queries.ts'
import { createGuard } from '../../lib/net/egress-guard.ts'
import { networkOf } from '../../lib/net/network-of.ts'
import type { Clock } from '../../lib/time/clock.ts'

/** Counts one request from an address. Returns null if requests from there are not limited. */
export type NetworkLimit = (address: string) => Admission | null

/** A hundred per second: more than an office, or an image proxy of a mailbox provider, causes. */
const PUBLIC_REQUESTS_MAX = 6_000
/** The limit on remembered networks. Beyond it, those whose minute began first are forgotten. */
const NETWORKS_MAX = 10_000

interface Window {
  /** Null: not limited. */
  requests: number | null
  endsAtMs: number
}

/**
 * Limits requests without a key or session by the network of the client, in this process. They cost little, so the count
 * need not be exact across processes, and a database that is away must not end them. Addresses that are not public are
 * exempt: a proxy that the operator did not name brings the requests of many clients.
 */
export function createNetworkLimit(clock: Clock, requestsMax = PUBLIC_REQUESTS_MAX): NetworkLimit {
  const windows = new Map<string, Window>()
  const publicOnly = createGuard({ allowPrivate: false })

  function open(address: string, nowMs: number): Window {
    const network = networkOf(address)
    const window = windows.get(network)
    // A clock that jumped back must not extend the window.
    if (window !== undefined && window.endsAtMs > nowMs && window.endsAtMs <= nowMs + WINDOW_MS) return window
    windows.delete(network)
    const [oldest] = windows.keys()
    if (windows.size >= NETWORKS_MAX && oldest !== undefined) windows.delete(oldest)
    const opened = { requests: publicOnly.refuse(address) === null ? 0 : null, endsAtMs: nowMs + WINDOW_MS }
    windows.set(network, opened)
    return opened
  }

  return (address) => {
    const nowMs = clock.now().getTime()
    const window = open(address, nowMs)
    if (window.requests === null) return null
    window.requests++
    return {
      isAdmitted: window.requests <= requestsMax,
      limit: requestsMax,
      remaining: Math.max(0, requestsMax - window.requests),
      resetSeconds: Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000)),
    }
  }
}
