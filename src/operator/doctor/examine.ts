import { listCertificateStates } from '../../certificates/certificates-queries.ts'
import type { Config } from '../../config/config.ts'
import type { Queryable } from '../../db/db-types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type AskDns, createAskDns } from './ask-dns.ts'
import { checkBlockLists } from './check-block-lists.ts'
import { checkCertificates } from './check-certificates.ts'
import { checkClock } from './check-clock.ts'
import { checkDomains } from './check-domains.ts'
import { checkCertificate, checkDatabase, checkDisk } from './check-machine.ts'
import { checkBounceHost, checkHostname, checkReverse, type SendingAddress } from './check-names.ts'
import { checkPortOut } from './check-port.ts'
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

/** Checks everything that mail depends on. Yields each finding when it is ready. */
export async function* examine(deps: ExamineDeps, options: ExamineOptions): AsyncGenerator<Finding> {
  const { config, clock, db } = deps
  const dns = createAskDns(config.dnsServers)
  yield await checkDisk(config.dataDir)
  if (db !== null) {
    yield* await checkDatabase(db)
    yield* await checkDomains(db)
    if (config.acmeDirectory !== null) {
      yield* checkCertificates(await listCertificateStates(db, HOSTS_MAX), clock.now())
    }
  }
  yield await checkClock(options.ntpServer)
  if (config.tlsCertFile !== null && config.tlsKeyFile !== null) {
    const files = { certFile: config.tlsCertFile, keyFile: config.tlsKeyFile }
    yield await checkCertificate(files, config.hostname, clock.now())
  }
  if (config.delivery.kind === 'capture') {
    yield note(
      'delivery',
      'Nothing leaves this machine (SENDWRIGHT_DELIVERY=capture).',
      'To send mail, set it to direct or to a relay.',
    )
    return
  }
  yield* examineNetwork(deps, options, dns)
}

async function* examineNetwork(
  { config, addresses }: ExamineDeps,
  options: ExamineOptions,
  dns: AskDns,
): AsyncGenerator<Finding> {
  yield await checkHostname(dns, config.hostname)
  yield await checkBounceHost(dns, config.hostname)
  if (config.delivery.kind === 'relay') {
    yield note(
      'delivery',
      'Mail goes through relays, which are responsible for reverse DNS, port 25 and block lists.',
    )
    return
  }
  const known = addresses.length > 0 ? addresses : await addressesOfName(dns, config.hostname)
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
  yield await checkPortOut(dns, { domain: options.probeDomain, port: config.mxPort })
}

/** Returns the addresses of the server's name. Behind NAT, only DNS knows the public address. */
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
