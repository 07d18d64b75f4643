import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4')
}
PRIVATE.addAddress('::1', 'ipv6')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')

/**
 * Where a request came from. Behind a proxy on a private network it is what that proxy says last (X-Forwarded-For); what
 * a stranger writes there himself is believed by nobody. For records that people read, and to count wrong logins by: who
 * stands on that private network could write there what they like, and is still counted by account.
 */
export function clientAddress({ socket, headers }: IncomingMessage): string {
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/i, '')
  if (!isPrivate(peer)) return peer
  const told =
    String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .at(-1)
      ?.trim() ?? ''
  return isIP(told) === 0 ? peer : told
}

function isPrivate(address: string): boolean {
  const version = isIP(address)
  return version !== 0 && PRIVATE.check(address, version === 4 ? 'ipv4' : 'ipv6')
}
