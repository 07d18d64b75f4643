import type { IncomingMessage } from 'node:http'
import { canonicalAddress } from '../../config/canonical-address.ts'
import { matchNetworks, type Network } from '../../config/networks.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'

/** Returns the client address of a request, for rate limits and records. */
export type ClientAddress = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string

const WARN_EVERY_MS = 3_600_000

/**
 * Returns a function that determines client addresses. The client is the peer of the connection, unless the peer is a
 * trusted proxy. Then the function reads X-Forwarded-For from its end, where the nearest proxy wrote, skips trusted proxies
 * and takes the first other address. It stops at an entry that is not an address, because clients can write anything before.
 */
export function createClientAddress({
  trusted,
  clock,
  log,
}: {
  trusted: readonly Network[]
  clock: Clock
  log: Log
}): ClientAddress {
  const isTrusted = matchNetworks(trusted)
  const warn = createWarning(clock, log)
  return ({ socket, headers }) => {
    const peer = canonicalAddress(socket.remoteAddress ?? '')
    if (peer === null) return ''
    const forwarded = headers['x-forwarded-for']
    if (forwarded === undefined) return peer
    if (!isTrusted(peer)) {
      warn(peer)
      return peer
    }
    return nearestUntrusted(peer, String(forwarded).split(','), isTrusted)
  }
}

function nearestUntrusted(
  peer: string,
  hops: readonly string[],
  isTrusted: (address: string) => boolean,
): string {
  let client = peer
  for (let index = hops.length - 1; index >= 0 && isTrusted(client); index--) {
    const hop = canonicalAddress(withoutPort(hops[index]?.trim() ?? ''))
    if (hop === null) return client
    client = hop
  }
  return client
}

/** Removes the port that some gateways add, with the brackets of an IPv6 address (RFC 7239 section 6). */
function withoutPort(hop: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(hop) ?? []
  return bracketed ?? plain ?? hop
}

/** Returns a function that logs a warning, at most once an hour because any client can send the field. */
function createWarning(clock: Clock, log: Log): (peer: string) => void {
  let nextAtMs = Number.NEGATIVE_INFINITY
  return (peer) => {
    const nowMs = clock.now().getTime()
    if (nowMs < nextAtMs) return
    nextAtMs = nowMs + WARN_EVERY_MS
    log.warn(
      { peer },
      'ignored X-Forwarded-For from this peer: if it is your proxy, add its address to SENDWRIGHT_TRUSTED_PROXIES',
    )
  }
}
