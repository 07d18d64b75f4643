import { BlockList, isIPv4 } from 'node:net'
import { listCertificateStates } from '../../certificates/certificates-queries.ts'
import type { Config } from '../../config/config.ts'
import type { Queryable } from '../../db/db-types.ts'
import { createGuard } from '../../lib/net/egress-guard.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type AskDns, createAskDns } from './ask-dns.ts'
import { checkBlockLists } from './check-block-lists.ts'
import { checkCertificates } from './check-certificates.ts'
import { checkClock } from './check-clock.ts'
import { checkDelivered } from './check-delivered.ts'
import { checkDomains } from './check-domains.ts'
import { checkCertificate, checkDatabase, checkDisk } from './check-machine.ts'
import { checkBounceHost, checkHostname, checkReverse, type SendingAddress } from './check-names.ts'
import { checkPortIn, checkPortOut } from './check-port.ts'
import { checkPublicUrl } from './check-public-url.ts'
import { checkSignOn } from './check-sign-on.ts'
import { checkSpf } from './check-spf.ts'
import { type Finding, note, problem, reasonOf } from './finding.ts'

export interface ExamineDeps {
  config: Config
  clock: Clock
  /** Null: it cannot be opened, which the caller reports as a finding. */
  db: Queryable | null
  /** The known source addresses of mail. */
  addresses: readonly SendingAddress[]
}

export interface ExamineOptions {
  /** The domain whose mail server is used to check that port 25 is open. */
  probeDomain: string
  /** `host[:port]` of a time server. */
  ntpServer: string
  /** Whether to query block lists, which discloses the addresses to them. */
  asksBlockLists: boolean
}

/** Hosts whose certificates are listed; those with failures come first. */
const HOSTS_MAX = 100

/** A guard without the rule against this host's own addresses. */
const NO_HOST = { addressesOf: () => [], elapsedMs: () => 0 }

/** Checks everything that mail depends on. Yields each finding when it is ready. */
export async function* examine(deps: ExamineDeps, options: ExamineOptions): AsyncGenerator<Finding> {
  const { config, clock, db } = deps
  const dns = createAskDns(config.dnsServers)
  yield await checkDisk(config.dataDir)
  if (db !== null) {
    yield* await checkDatabase(db)
    yield* checkDomains({ config, db }, clock.now())
    if (config.acmeDirectory !== null) {
      yield* checkCertificates(await listCertificateStates(db, HOSTS_MAX), clock.now())
    }
  }
  yield await checkClock(options.ntpServer)
  if (config.tlsCertFile !== null && config.tlsKeyFile !== null) {
    const files = { certFile: config.tlsCertFile, keyFile: config.tlsKeyFile }
    yield await checkCertificate(files, config.hostname, clock.now())
  }
  if (config.oidcIssuer !== null) yield await checkSignOn(config.oidcIssuer)
  if (config.delivery.kind === 'capture') {
    yield note(
      'delivery',
      'Nothing leaves this machine (SENDWRIGHT_DELIVERY=capture).',
      'To send mail, set it to direct or to a relay.',
    )
    return
  }
  yield* examineNames(deps, dns)
  if (config.delivery.kind === 'direct') yield* examineSending(deps, options, dns)
  else {
    yield note(
      'delivery',
      'Mail goes through relays, which are responsible for reverse DNS, SPF, port 25 and block lists.',
    )
  }
  if (db !== null) yield await checkDelivered(db)
}

/** Checks that others find this server: its names, PUBLIC_URL, and the port for bounces. */
async function* examineNames({ config, addresses }: ExamineDeps, dns: AskDns): AsyncGenerator<Finding> {
  const { hostname, publicUrl, mxPort, inboundPort } = config
  // The names of this server may lead to its own public addresses.
  const guard = createGuard({ allowPrivate: config.allowPrivateNetworks }, NO_HOST)
  const own = addresses.map(({ address }) => address)
  yield await checkPublicUrl(dns, { publicUrl, guard, addresses: own })
  yield await checkHostname(dns, hostname)
  yield await checkBounceHost(dns, hostname)
  if (inboundPort !== null) yield await checkPortIn(dns, { hostname, port: mxPort, guard })
}

async function* examineSending(
  { config, addresses }: ExamineDeps,
  options: ExamineOptions,
  dns: AskDns,
): AsyncGenerator<Finding> {
  const own = addresses.filter(isPrivate).map(({ ehloName }) => ehloName)
  if (addresses.length === 0) own.push(config.hostname)
  const named = await Promise.all([...new Set(own)].map((name) => addressesOfName(dns, name)))
  const known = [...addresses.filter((one) => !isPrivate(one)), ...named.flat()]
  if (known.length === 0) {
    yield problem(
      'sending addresses',
      'This machine has no public address, and its name resolves to none.',
      `Publish the A record of ${config.hostname} with the source address of your mail.`,
    )
  }
  for (const address of known) {
    yield await checkReverse(dns, address)
    if (options.asksBlockLists) yield* await checkBlockLists(dns, address.address)
  }
  for (const [name, sending] of spfNames(config.hostname, known)) yield await checkSpf(dns, name, sending)
  yield await checkPortOut(dns, { domain: options.probeDomain, port: config.mxPort })
}

/** Returns the addresses that send for each name: all for the return paths of this server, some for other EHLO names. */
function spfNames(hostname: string, known: readonly SendingAddress[]): Map<string, string[]> {
  const names = new Map<string, string[]>()
  if (known.length > 0)
    names.set(
      hostname,
      known.map(({ address }) => address),
    )
  for (const { address, ehloName } of known) {
    if (ehloName !== hostname) names.set(ehloName, [...(names.get(ehloName) ?? []), address])
  }
  return names
}

/** Private networks (RFC 1918, 4193, 6598), whose addresses NAT replaces. */
const PRIVATE = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv4')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')

function isPrivate({ address }: SendingAddress): boolean {
  return PRIVATE.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

/** Returns the addresses of an EHLO name. Behind NAT, only DNS knows the public address. */
async function addressesOfName(dns: AskDns, ehloName: string): Promise<SendingAddress[]> {
  return ((await dns.addresses(ehloName)) ?? []).map((address) => ({ address, ehloName }))
}

/** Returns the finding for a database that cannot be opened. */
export function cannotOpenDatabase(error: unknown): Finding {
  return problem(
    'database',
    `It cannot be opened: ${error instanceof Error ? error.message : reasonOf(error)}`,
    'Nothing is accepted or delivered without the database. Check DATABASE_URL, or the data directory.',
  )
}
