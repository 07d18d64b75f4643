import type { Clock } from './clock.ts'
import { DnsClient } from './dns.ts'
import { createHostsFile } from './hosts-file.ts'
import { MxResolver } from './mx.ts'

/**
 * Finds the addresses of hosts that customers name (webhooks, attachment URLs): the machine's own table first, then the
 * DNS servers of the configuration. The system's look-up would ask other servers, and has four threads for the whole
 * process: a few hosts whose DNS hangs would hold up all others.
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
    const known = knownAddresses(host)
    if (known.length > 0) return known
    return host === 'localhost' ? ['127.0.0.1', '::1'] : resolver.addressesOf(host)
  }
}
