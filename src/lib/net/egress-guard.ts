import { BlockList, isIP, isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * Decides which addresses must never be connected to when a customer can steer the connection (an MX, a webhook, an
 * attachment's URL). It checks the literal address right before the connection is made: an earlier check of the host
 * name would let DNS answer differently the second time.
 */
export interface Guard {
  /** Returns the reason why this address is refused, or null. Anything but a literal IP address is refused. */
  refuse(address: string): string | null
}

/** IANA special-purpose registries (RFC 6890 and its updates); a customer's public server cannot be in these. */
const CLOSED: readonly (readonly [reason: string, networks: readonly string[]])[] = [
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10', 'fec0::/10']],
  ['shared (CGNAT)', ['100.64.0.0/10']],
  ['documentation', ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20']],
  ['benchmarking', ['198.18.0.0/15', '2001:2::/48']],
  [
    'reserved',
    ['0.0.0.0/8', '192.0.0.0/24', '192.88.99.0/24', '240.0.0.0/4', '::/96', '100::/64', '2001::/23'],
  ],
]

/** Refused even on closed networks, because these are never one host's address. */
const NEVER: readonly (readonly [reason: string, networks: readonly string[]])[] = [
  ['unspecified', ['0.0.0.0/32', '::/128']],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
  ['broadcast', ['255.255.255.255/32']],
]

/** IPv6 forms that embed an IPv4 address could bypass IPv4 rules. RFC 4291, 6052, 8215, 3056, 4380. */
const EMBEDDED: readonly (readonly [reason: string, networks: readonly string[]])[] = [
  ['IPv4-mapped', ['::ffff:0:0/96', '::ffff:0:0:0/96']],
  ['NAT64', ['64:ff9b::/96', '64:ff9b:1::/48']],
  ['6to4', ['2002::/16']],
  ['Teredo', ['2001::/32']],
]

interface Rule {
  reason: string
  v4: BlockList
  v6: BlockList
}

/** Two lists, because a BlockList of ::ffff:0:0/96 matches every plain IPv4 address. */
function compileRule(reason: string, networks: readonly string[]): Rule {
  const rule = { reason, v4: new BlockList(), v6: new BlockList() }
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/')
    if (isIPv4(address)) rule.v4.addSubnet(address, Number(bits), 'ipv4')
    else rule.v6.addSubnet(address, Number(bits), 'ipv6')
  }
  return rule
}

function compileRules(table: typeof CLOSED): Rule[] {
  return table.map(([reason, networks]) => compileRule(reason, networks))
}

function interfaceAddresses(): string[] {
  const entries = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return entries.map(({ address }) => address.replace(/%.*$/, ''))
}

function compileOwn(addresses: readonly string[]): Rule {
  const networks = addresses.map((address) => `${address}/${isIPv4(address) ? 32 : 128}`)
  return compileRule("this host's own", networks)
}

/**
 * Returns a function that returns the rule for this host's own addresses. They change while the process runs (DHCP,
 * failover, containers), so it reads them again once they are older than OWN_ADDRESSES_AGE_MS.
 */
function followOwnAddresses({ addressesOf, elapsedMs }: HostView): () => Rule {
  let rule = compileOwn(addressesOf())
  let readMs = elapsedMs()
  return () => {
    if (elapsedMs() - readMs < OWN_ADDRESSES_AGE_MS) return rule
    rule = compileOwn(addressesOf())
    readMs = elapsedMs()
    return rule
  }
}

/** The addresses of this machine's interfaces, and a monotonic clock. */
interface HostView {
  addressesOf(): readonly string[]
  elapsedMs(): number
}

const THIS_HOST: HostView = { addressesOf: interfaceAddresses, elapsedMs: () => performance.now() }
/** The guard rejects a new address of this host after at most this time. */
export const OWN_ADDRESSES_AGE_MS = 1_000

/** Returns this machine's public addresses; none behind NAT. */
export function listPublicAddresses(): string[] {
  const rules = [...compileRules(NEVER), ...compileRules(EMBEDDED), ...compileRules(CLOSED)]
  return interfaceAddresses().filter((address) => {
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    return !rules.some(({ v4, v6 }) => (family === 'ipv4' ? v4 : v6).check(address, family))
  })
}

/** Unicast Internet addresses are in 2000::/3; unassigned IANA space cannot hold a mail server. */
function globalUnicast(): BlockList {
  const list = new BlockList()
  list.addSubnet('2000::', 3, 'ipv6')
  return list
}

/**
 * Builds the guard. It follows this host's own addresses while the process runs. `allowPrivate` allows everything that
 * can be one host's address: for tests and closed networks.
 */
export function createGuard({ allowPrivate }: { allowPrivate: boolean }, host: HostView = THIS_HOST): Guard {
  const fixed = allowPrivate
    ? compileRules(NEVER)
    : [...compileRules(NEVER), ...compileRules(EMBEDDED), ...compileRules(CLOSED)]
  const own = allowPrivate ? null : followOwnAddresses(host)
  const global = globalUnicast()

  return {
    refuse(address) {
      const version = isIP(address)
      if (version === 0 || address.includes('%')) return 'not a literal IP address'
      const family = version === 4 ? 'ipv4' : 'ipv6'
      for (const { reason, v4, v6 } of own === null ? fixed : [...fixed, own()]) {
        // An IPv4 list also matches ::ffff:a.b.c.d, so that a mapped address meets both kinds of rule.
        if (v4.check(address, family) || (version === 6 && v6.check(address, family)))
          return `${reason} address`
      }
      if (!allowPrivate && version === 6 && !global.check(address, family)) return 'reserved address'
      return null
    },
  }
}
