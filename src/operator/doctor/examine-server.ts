import { BlockList, isIPv4 } from 'node:net'
import type { Config } from '../../config/config.ts'
import { createGuard } from '../../lib/net/egress-guard.ts'
import { type AskDns, createAskDns } from './ask-dns.ts'
import { checkBlockLists } from './check-block-lists.ts'
import {
  CHECK_DNS,
  checkBounceHost,
  checkHostname,
  checkReverse,
  LOOKUP_FAILED,
  type SendingAddress,
} from './check-names.ts'
import { checkPortIn, checkPortOut } from './check-port.ts'
import { checkPublicUrl } from './check-public-url.ts'
import { checkSpf } from './check-spf.ts'
import { type Finding, problem, warning } from './finding.ts'

export interface ServerDeps {
  config: Config
  /** The known source addresses of mail. */
  addresses: readonly SendingAddress[]
}

export interface ServerOptions {
  /** The domain whose mail server is used to check that port 25 is open. */
  probeDomain: string
  /** Whether to query block lists, which discloses the addresses to them. */
  asksBlockLists: boolean
}

/** The steps to a server whose mail others accept, in order of their importance. */
export const SERVER_STEPS = [
  'hostname',
  'public_url',
  'reverse_dns',
  'spf',
  'outbound_port',
  'bounce_host',
  'inbound_port',
] as const
type ServerStep = (typeof SERVER_STEPS)[number] | 'block_lists'

export interface ServerFinding {
  step: ServerStep
  finding: Finding
}

/** A guard without the rule against this host's own addresses. */
const NO_HOST = { addressesOf: () => [], elapsedMs: () => 0 }

/**
 * Checks that others find this server and accept its mail, in every mode: an operator looks before leaving capture mode.
 * Sends no mail. Yields each finding when it is ready.
 */
export async function* examineServer(
  deps: ServerDeps,
  options: Pick<ServerOptions, 'probeDomain'>,
): AsyncGenerator<ServerFinding> {
  const { config } = deps
  const dns = createAskDns(config.dnsServers)
  yield* examineNames(deps, dns)
  if (config.delivery.kind === 'relay') return
  if (!config.hostname.includes('.')) {
    // No other name is known whose records could be checked.
    yield at('outbound_port', checkPortOut(dns, { domain: options.probeDomain, port: config.mxPort }))
    return
  }
  yield* examineSending(deps, { ...options, asksBlockLists: false }, dns)
}

async function at(step: ServerStep, finding: Promise<Finding>): Promise<ServerFinding> {
  return { step, finding: await finding }
}

/** Checks that others find this server: its names, PUBLIC_URL, and the port for bounces. */
export async function* examineNames(
  { config, addresses }: ServerDeps,
  dns: AskDns,
): AsyncGenerator<ServerFinding> {
  const { hostname, publicUrl, mxPort, inboundPort } = config
  // The names of this server may lead to its own public addresses.
  const guard = createGuard({ allowPrivate: config.allowPrivateNetworks }, NO_HOST)
  const own = addresses.filter((one) => !isPrivate(one)).map(({ address }) => address)
  yield at('public_url', checkPublicUrl(dns, { publicUrl, guard, addresses: own }))
  yield at('hostname', checkHostname(dns, hostname, own))
  if (!hostname.includes('.')) return
  yield at('bounce_host', checkBounceHost(dns, hostname))
  if (inboundPort !== null) yield at('inbound_port', checkPortIn(dns, { hostname, port: mxPort, guard }))
}

/** Checks the addresses that mail leaves from, their SPF records, and outgoing port 25. */
export async function* examineSending(
  { config, addresses }: ServerDeps,
  options: Pick<ServerOptions, 'probeDomain' | 'asksBlockLists'>,
  dns: AskDns,
): AsyncGenerator<ServerFinding> {
  const own = addresses.filter(isPrivate).map(({ ehloName }) => ehloName)
  if (addresses.length === 0) own.push(config.hostname)
  const { named, failed } = await findNamed(dns, new Set(own))
  for (const name of failed) {
    yield { step: 'reverse_dns', finding: warning(`addresses of ${name}`, LOOKUP_FAILED, CHECK_DNS) }
  }
  const sources = [...addresses.filter((one) => !isPrivate(one)), ...named]
  if (sources.length === 0 && failed.length === 0) {
    const advice = `Publish the A record of ${config.hostname} with the source address of your mail.`
    const found = 'This machine has no public address, and its name resolves to none.'
    yield { step: 'reverse_dns', finding: problem('sending addresses', found, advice) }
  }
  for (const address of sources) {
    yield at('reverse_dns', checkReverse(dns, address))
    if (!options.asksBlockLists) continue
    for (const finding of await checkBlockLists(dns, address.address)) yield { step: 'block_lists', finding }
  }
  for (const [name, sending] of spfNames(config.hostname, sources)) {
    yield at('spf', checkSpf(dns, name, sending))
  }
  yield at('outbound_port', checkPortOut(dns, { domain: options.probeDomain, port: config.mxPort }))
}

/** Returns the addresses that send for each name: all for the return paths of this server, some for other EHLO names. */
function spfNames(hostname: string, sources: readonly SendingAddress[]): Map<string, string[]> {
  const names = new Map<string, string[]>()
  if (sources.length > 0)
    names.set(
      hostname,
      sources.map(({ address }) => address),
    )
  for (const { address, ehloName } of sources) {
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

/**
 * Returns the addresses of EHLO names, and the names whose look-up failed. Behind NAT, only DNS knows the public addresses.
 */
async function findNamed(
  dns: AskDns,
  ehloNames: ReadonlySet<string>,
): Promise<{ named: readonly SendingAddress[]; failed: readonly string[] }> {
  const named: SendingAddress[] = []
  const failed: string[] = []
  const answers = await Promise.all(
    [...ehloNames].map(async (name) => ({ name, found: await dns.addresses(name) })),
  )
  for (const { name, found } of answers) {
    if (found === null) failed.push(name)
    else named.push(...found.map((address) => ({ address, ehloName: name })))
  }
  return { named, failed }
}
