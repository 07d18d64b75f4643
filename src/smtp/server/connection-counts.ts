import { networkOf } from '../../lib/net/network-of.ts'
import { reply, type ServerReply, type SmtpLimits } from './smtp-types.ts'

const TOO_MANY = reply(421, '4.3.2', 'Too many connections; try again in a moment')
const TOO_MANY_FROM_ADDRESS = reply(421, '4.7.0', 'Too many connections from your address')

/** Counts a listener's connections, in total and by network, so that slow clients use up only their own share. */
export interface ConnectionCounts {
  /** Counts another connection, or returns the reply that rejects it. */
  take(address: string): ServerReply | null
  /** Records that a counted connection has ended. */
  giveBack(address: string): void
}

export function createConnectionCounts(
  limits: Pick<SmtpLimits, 'connectionsMax' | 'connectionsPerAddressMax'>,
): ConnectionCounts {
  const byNetwork = new Map<string, number>()
  let total = 0
  return {
    take(address) {
      const network = networkOf(address)
      const count = byNetwork.get(network) ?? 0
      if (total >= limits.connectionsMax) return TOO_MANY
      if (count >= limits.connectionsPerAddressMax) return TOO_MANY_FROM_ADDRESS
      byNetwork.set(network, count + 1)
      total++
      return null
    },
    giveBack(address) {
      const network = networkOf(address)
      const count = (byNetwork.get(network) ?? 1) - 1
      if (count === 0) byNetwork.delete(network)
      else byNetwork.set(network, count)
      total--
    },
  }
}
