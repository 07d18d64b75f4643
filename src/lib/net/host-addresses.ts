import { DnsClient } from '../dns/dns.ts'
import { createHostsFile } from '../dns/hosts-file.ts'
import { MxResolver } from '../dns/mx.ts'
import type { Clock } from '../time/clock.ts'

/**
 * Returns a resolver for hosts that customers choose (webhooks, attachment URLs). It reads the machine's hosts file first,
 * then queries the configured DNS servers. The system resolver would query other servers, and has four threads for the
 * whole process: a few hosts with unresponsive DNS would block all others.
 */
export function createHostAddresses({
  dnsServers,
  clock,
}: {
  dnsServers: readonly string[]
  clock: Clock
}): (host: string) => Promise<readonly string[]> {
  const resolver = new MxResolver(new DnsClient({ servers: dnsServers, clock }))
  const knownAddresses = createHostsFile()
  return async (host) => {
    const addresses = knownAddresses(host)
    if (addresses.length > 0) return addresses
    return host === 'localhost' ? ['127.0.0.1', '::1'] : resolver.addressesOf(host)
  }
}
