import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Signer } from '../delivery/sign-message.ts'
import { createDane } from '../delivery/tls/dane.ts'
import { createStsFetcher } from '../delivery/tls/sts-fetch.ts'
import { createStsPolicies, type StsPolicies, type TxtAnswer } from '../delivery/tls/sts-policies.ts'
import { findStsPolicies, type KeptStsPolicy, saveStsPolicy } from '../delivery/tls/sts-policies-queries.ts'
import { createTlsPolicies, type TlsPolicies } from '../delivery/tls/tls-policies.ts'
import { countTlsSessions } from '../delivery/tls-reports/tls-report-counts.ts'
import { limitTlsReports } from '../delivery/tls-reports/tls-report-limits.ts'
import { sendDueTlsReport } from '../delivery/tls-reports/tls-reports.ts'
import type { AcceptMime } from '../emails/accept/accept-mime.ts'
import { readHeader } from '../emails/accept/message-header.ts'
import { createBatcher, OverloadedError } from '../lib/async/batcher.ts'
import { createFairSemaphore } from '../lib/async/fair-semaphore.ts'
import { DnsClient } from '../lib/dns/dns.ts'
import { query } from '../lib/dns/dns-wire.ts'
import { MxResolver } from '../lib/dns/mx.ts'
import type { Log } from '../lib/log.ts'
import { createGuard, type Guard } from '../lib/net/egress-guard.ts'
import { createGuardedAgent } from '../lib/net/guarded-agent.ts'
import type { Clock } from '../lib/time/clock.ts'

interface Parts {
  config: Config
  db: Db
  clock: Clock
  log: Log
  signer: Signer
  mx: MxResolver
  guard: Guard
  stops: (() => Promise<void>)[]
}

const TXT_TIMEOUT_MS = 3000
/** Questions for policy records at once; the rest waits its turn, and for no longer than this. */
const TXT_QUESTIONS_MAX = 128
const TXT_TURN_MS = 3000
const POLICIES_PER_LOOKUP_MAX = 500

/** What others demand of TLS (MTA-STS, DANE), and the count of how it went. */
export function assembleTls(parts: Parts): TlsPolicies {
  const { config, db, clock, log, signer, stops } = parts
  const isDirect = config.delivery.kind === 'direct'
  const counter = countTlsSessions({ db, clock, log })
  stops.push(() => counter.stop())
  return createTlsPolicies({
    senderTls: async (delivery) => (await signer.sender(delivery)).tls,
    header: (delivery) => readHeader(db, delivery),
    sts: isDirect ? assembleSts(parts) : null,
    dane:
      config.dnssecResolver === null
        ? null
        : createDane({ resolver: config.dnssecResolver, port: config.mxPort, clock }),
    note: counter.add,
  })
}

function assembleSts({ config, db, clock, log, mx, guard, stops }: Parts): StsPolicies {
  const addressesOf = (host: string) => mx.addressesOf(host)
  const fetcher = createStsFetcher({ guard, port: config.mtaStsPort, addressesOf })
  stops.push(() => fetcher.close())
  const gate = createFairSemaphore({ places: TXT_QUESTIONS_MAX, waitMs: TXT_TURN_MS })
  const lookUp = createBatcher<string, KeptStsPolicy | null>({
    run: (domains) => findStsPolicies(db, domains),
    itemsMax: POLICIES_PER_LOOKUP_MAX,
  })
  return createStsPolicies({
    clock,
    log,
    txt: (name, teamId) =>
      gate
        .run(teamId, () => askTxt(name, config.dnsServers))
        .catch((error: unknown) => {
          if (!(error instanceof OverloadedError)) throw error
          return { kind: 'temporary' } as const
        }),
    fetchPolicy: fetcher.fetchPolicy,
    find: (domain) => lookUp.add(domain),
    save: (domain, policy) => saveStsPolicy(db, domain, policy),
  })
}

const REPORT_POST_MS = 15_000

/** Sends one daily TLS report that is due; true: there may be more. */
export function assembleTlsReports(parts: {
  config: Config
  db: Db
  clock: Clock
  log: Log
  acceptMime: AcceptMime
  stops: (() => Promise<void>)[]
}): () => Promise<boolean> {
  const { config, stops } = parts
  const guard = createGuard({ allowPrivate: config.allowPrivateNetworks })
  const mx = new MxResolver(new DnsClient({ servers: config.dnsServers, clock: parts.clock }))
  const addressesOf = (host: string) => mx.addressesOf(host)
  const agent = createGuardedAgent({ guard, timeoutMs: REPORT_POST_MS, addressesOf })
  stops.push(() => agent.destroy())
  const limits = limitTlsReports(parts.log)
  return () =>
    sendDueTlsReport({
      ...parts,
      limits,
      agent,
      hostname: config.hostname,
      from: config.tlsReportFrom,
      async txt(name) {
        const answer = await askTxt(name, config.dnsServers)
        return answer.kind === 'temporary' ? null : answer.kind === 'records' ? answer.records : []
      },
    })
}

async function askTxt(name: string, servers: readonly string[]): Promise<TxtAnswer> {
  const answer = await query(name, 'TXT', { servers, timeoutMs: TXT_TIMEOUT_MS, roundsMax: 1 })
  if (answer.kind === 'temporary') return answer
  return answer.kind === 'records' ? answer : { kind: 'none', ttlSeconds: answer.ttlSeconds }
}
