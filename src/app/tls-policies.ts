import { createDane } from '../delivery/tls/dane.ts'
import { createStsFetcher } from '../delivery/tls/sts-fetch.ts'
import { createStsPolicies, type StsPolicies } from '../delivery/tls/sts-policies.ts'
import { findStsPolicies, type StoredStsPolicy, saveStsPolicy } from '../delivery/tls/sts-policies-queries.ts'
import { createTlsPolicies, type TlsPolicies } from '../delivery/tls/tls-policies.ts'
import { countTlsSessions } from '../delivery/tls-reports/tls-report-counts.ts'
import { loadMessageHeader } from '../emails/accept/message-header.ts'
import { createBatcher, OverloadedError } from '../lib/async/batcher.ts'
import { createFairSemaphore } from '../lib/async/fair-semaphore.ts'
import { lookUpTxt } from './ask-txt.ts'
import type { Runtime } from './runtime.ts'

/** Maximum number of concurrent look-ups of policy records; others wait up to TXT_TURN_MS. */
const TXT_LOOKUPS_MAX = 128
const TXT_TURN_MS = 3000
const POLICIES_PER_LOOKUP_MAX = 500

/** Opens the TLS policies of receivers (MTA-STS, DANE), and counts the TLS sessions for reports. */
export function openTlsPolicies(runtime: Runtime): TlsPolicies {
  const { config, clock, log, signer, lifecycle } = runtime
  const { engine: db } = runtime.pools
  const isDirect = config.delivery.kind === 'direct'
  const counter = countTlsSessions({ db, clock, log })
  lifecycle.add('TLS session counter', () => counter.stop())
  return createTlsPolicies({
    senderTls: async (delivery) => (await signer.sender(delivery)).tls,
    header: (delivery) => loadMessageHeader(db, delivery),
    sts: isDirect ? openStsPolicies(runtime) : null,
    dane:
      config.dnssecResolver === null
        ? null
        : createDane({ resolver: config.dnssecResolver, port: config.mxPort, clock }),
    note: counter.add,
  })
}

function openStsPolicies({ config, pools, clock, log, mx, guard, lifecycle }: Runtime): StsPolicies {
  const { engine: db } = pools
  const addressesOf = (host: string) => mx.addressesOf(host)
  const fetcher = createStsFetcher({ guard, port: config.mtaStsPort, addressesOf })
  lifecycle.add('MTA-STS fetcher', () => fetcher.close())
  const gate = createFairSemaphore({ places: TXT_LOOKUPS_MAX, waitMs: TXT_TURN_MS })
  const lookUp = createBatcher<string, StoredStsPolicy | null>({
    run: (domains) => findStsPolicies(db, domains),
    itemsMax: POLICIES_PER_LOOKUP_MAX,
  })
  return createStsPolicies({
    clock,
    log,
    txt: (name, teamId) =>
      gate
        .run(teamId, () => lookUpTxt(name, config.dnsServers))
        .catch((error: unknown) => {
          if (!(error instanceof OverloadedError)) throw error
          return { kind: 'temporary' } as const
        }),
    fetchPolicy: fetcher.fetchPolicy,
    find: (domain) => lookUp.add(domain),
    save: (domain, policy) => saveStsPolicy(db, domain, policy),
  })
}
