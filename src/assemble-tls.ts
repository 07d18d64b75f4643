import { Busy, createBatcher } from './base/batcher.ts'
import type { Clock } from './base/clock.ts'
import { DnsClient } from './base/dns.ts'
import { query } from './base/dns-wire.ts'
import { createGuard, type Guard } from './base/egress-guard.ts'
import { createFairGate } from './base/fair-gate.ts'
import { createGuardedAgent } from './base/guarded-agent.ts'
import type { Log } from './base/log.ts'
import { MxResolver } from './base/mx.ts'
import type { Config } from './config.ts'
import { createDane } from './delivery/tls-policy/dane.ts'
import { createStsFetcher } from './delivery/tls-policy/sts-fetch.ts'
import { createStsPolicies, type StsPolicies, type TxtAnswer } from './delivery/tls-policy/sts-policies.ts'
import { createTlsPolicies, type TlsPolicies } from './delivery/tls-policy/tls-policies.ts'
import type { AcceptMime } from './operations/accept-mime.ts'
import { readHeader } from './operations/message-header.ts'
import type { Signer } from './operations/sign-message.ts'
import { countTlsSessions } from './operations/tls-report-counts.ts'
import { limitTlsReports } from './operations/tls-report-limits.ts'
import { sendDueTlsReport } from './operations/tls-reports.ts'
import type { Db } from './store/db.ts'
import { findStsPolicies, type KeptStsPolicy, saveStsPolicy } from './store/sts-policies.ts'

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
  const gate = createFairGate({ places: TXT_QUESTIONS_MAX, waitMs: TXT_TURN_MS })
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
          if (!(error instanceof Busy)) throw error
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
