import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv4 } from 'node:net'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { canonicalAddress } from '../config/canonical-address.ts'
import type { Network } from '../config/networks.ts'

/** Returns the address that a request came from, for limits and records. */
export type ClientAddress = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string

const WARN_EVERY_MS = 3_600_000

/**
 * Returns a reader of client addresses. The peer of the connection is the client, unless it is a trusted proxy: then
 * X-Forwarded-For is read from its end, where the nearest proxy wrote, past all trusted proxies to the first other address.
 * A client writes any text in front of that, so what precedes a text that is no address is not read.
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
  const list = new BlockList()
  for (const { address, prefix } of trusted) list.addSubnet(address, prefix, familyOf(address))
  const isTrusted = (address: string) => list.check(address, familyOf(address))
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
    const hop = canonicalAddress(hops[index]?.trim() ?? '')
    if (hop === null) return client
    client = hop
  }
  return client
}

/** Once an hour at most: any client can send the field. */
function createWarning(clock: Clock, log: Log): (peer: string) => void {
  let nextAtMs = Number.NEGATIVE_INFINITY
  return (peer) => {
    const nowMs = clock.now().getTime()
    if (nowMs < nextAtMs) return
    nextAtMs = nowMs + WARN_EVERY_MS
    log.warn(
      { peer },
      'X-Forwarded-For from this peer is ignored: if the peer is your proxy, add its address to SENDWRIGHT_TRUSTED_PROXIES',
    )
  }
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')
