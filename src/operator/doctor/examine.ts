import { hasPacks } from '../../bodies/packing/packing-queries.ts'
import { openBodyStore } from '../../bodies/store/open-body-store.ts'
import { listCertificateStates } from '../../certificates/certificates-queries.ts'
import type { Queryable } from '../../db/db-types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { createAskDns } from './ask-dns.ts'
import { checkBodies } from './check-bodies.ts'
import { checkCertificates } from './check-certificates.ts'
import { checkClock } from './check-clock.ts'
import { checkDelivered } from './check-delivered.ts'
import { checkDomains } from './check-domains.ts'
import { checkCertificate, checkDatabase, checkDisk } from './check-machine.ts'
import { checkSignOn } from './check-sign-on.ts'
import { examineNames, examineSending, type ServerDeps, type ServerOptions } from './examine-server.ts'
import { type Finding, note, problem, reasonOf } from './finding.ts'

export interface ExamineDeps extends ServerDeps {
  clock: Clock
  /** Null: it cannot be opened, which the caller reports as a finding. */
  db: Queryable | null
}

export interface ExamineOptions extends ServerOptions {
  /** `host[:port]` of a time server. */
  ntpServer: string
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
  const bodies = openBodyStore(config)
  if (bodies !== null) yield await checkBodies(bodies, db !== null && (await hasPacks(db)))
  if (config.oidcIssuer !== null) yield await checkSignOn(config.oidcIssuer)
  if (config.delivery.kind === 'capture') {
    yield note(
      'delivery',
      'Nothing leaves this machine (SENDWRIGHT_DELIVERY=capture).',
      'To send mail, set it to direct or to a relay.',
    )
    return
  }
  for await (const { finding } of examineNames(deps, dns)) yield finding
  if (config.delivery.kind === 'direct') {
    for await (const { finding } of examineSending(deps, options, dns)) yield finding
  } else {
    yield note(
      'delivery',
      'Mail goes through relays, which are responsible for reverse DNS, SPF, port 25 and block lists.',
    )
  }
  if (db !== null) yield await checkDelivered(db)
}

/** Returns the finding for a database that cannot be opened. */
export function cannotOpenDatabase(error: unknown): Finding {
  return problem(
    'database',
    `It cannot be opened: ${error instanceof Error ? error.message : reasonOf(error)}`,
    'Nothing is accepted or delivered without the database. Check DATABASE_URL, or the data directory.',
  )
}
