import type { Clock } from '../base/clock.ts'
import type { MxAnswer, MxHost, MxResolver } from '../base/mx.ts'
import type { DeliveryMode, Relay } from '../config.ts'
import { classifyDns, enhancedCodeOf } from '../operations/classify/classify.ts'
import type { DeliveryResult, DueDelivery } from '../queue/types.ts'

/** One way to a recipient: the hosts of its site, or a relay. Each is a site of its own, with its limits and pauses. */
export interface Way {
  site: string
  relay: Relay | null
}

/** Where a delivery goes: by the first of its ways that is not paused, or nowhere, with the reason as its result. */
export type Route = { ways: readonly Way[] } | { result: DeliveryResult }

export interface Routing {
  /** The sites of all mail (relay and capture modes); empty when every domain has its own. */
  readonly fixedSites: readonly string[]
  route(delivery: DueDelivery): Promise<Route>
  /** Mail to this domain is on its way: what `route` and a connection will ask of DNS is asked ahead. */
  prefetch(domain: string): void
  /** The hosts of a site in the order to be tried; empty when it is a fixed site. */
  hostsOf(site: string): readonly MxHost[]
  /** Domains known to belong to a site for which `test` holds. */
  domainsOf(test: (site: string) => boolean): string[]
  /** Whether the domain is known to belong to such a site. */
  isKnownTo(domain: string, test: (site: string) => boolean): boolean
}

/** Domains whose site is remembered, for claims to skip; the rest is asked of DNS (and its cache) again. */
const DOMAINS_MAX = 20_000

export function createRouting(mode: DeliveryMode, mx: MxResolver, clock: Clock): Routing {
  if (mode.kind === 'direct') return routeByMx(mx, clock)
  const ways: readonly Way[] =
    mode.kind === 'relay'
      ? mode.relays.map((relay) => ({ site: `relay:${relay.host}:${relay.port}`, relay }))
      : [{ site: mode.kind, relay: null }]
  return {
    fixedSites: ways.map(({ site }) => site),
    route: async () => ({ ways }),
    prefetch: () => {},
    hostsOf: () => [],
    domainsOf: () => [],
    isKnownTo: (_domain, test) => ways.every(({ site }) => test(site)),
  }
}

/** Recipients whose domains share an MX set share a site, its connections and its limits. */
function routeByMx(mx: MxResolver, clock: Clock): Routing {
  const siteOfDomain = new Map<string, string>()
  const hostsOfSite = new Map<string, readonly MxHost[]>()

  /** A site is remembered as long as one of its domains is. */
  const domainCountOfSite = new Map<string, number>()

  function forget(domain: string): void {
    const site = siteOfDomain.get(domain)
    if (site === undefined) return
    siteOfDomain.delete(domain)
    const left = (domainCountOfSite.get(site) ?? 1) - 1
    if (left > 0) domainCountOfSite.set(site, left)
    else {
      domainCountOfSite.delete(site)
      hostsOfSite.delete(site)
    }
  }

  function remember(domain: string, site: string, hosts: readonly MxHost[]): void {
    forget(domain)
    siteOfDomain.set(domain, site)
    domainCountOfSite.set(site, (domainCountOfSite.get(site) ?? 0) + 1)
    hostsOfSite.set(site, hosts)
    if (siteOfDomain.size > DOMAINS_MAX) forget(siteOfDomain.keys().next().value as string)
  }

  return {
    fixedSites: [],
    prefetch: (domain) => mx.prefetch(domain),
    async route(delivery) {
      const startedAt = clock.now()
      const answer = await mx.resolve(delivery.domain)
      if (answer.kind !== 'hosts') {
        return { result: unroutable(delivery, answer, startedAt, clock.now()) }
      }
      remember(delivery.domain, answer.site, answer.hosts)
      return { ways: [{ site: answer.site, relay: null }] }
    },
    hostsOf: (site) => hostsOfSite.get(site) ?? [],
    domainsOf(test) {
      const refused = new Map<string, boolean>()
      const domains: string[] = []
      for (const [domain, site] of siteOfDomain) {
        let isRefused = refused.get(site)
        if (isRefused === undefined) {
          isRefused = test(site)
          refused.set(site, isRefused)
        }
        if (isRefused) domains.push(domain)
      }
      return domains
    },
    isKnownTo(domain, test) {
      const site = siteOfDomain.get(domain)
      return site !== undefined && test(site)
    },
  }
}

function unroutable(
  delivery: DueDelivery,
  answer: Exclude<MxAnswer, { kind: 'hosts' }>,
  startedAt: Date,
  endedAt: Date,
): DeliveryResult {
  const verdict = classifyDns(answer)
  return {
    delivery,
    verdict,
    startedAt,
    durationMs: endedAt.getTime() - startedAt.getTime(),
    smtpCode: null,
    enhancedCode: enhancedCodeOf(answer.kind),
    response: verdict.advice,
    mxHost: null,
    mxAddress: null,
    tls: null,
    conversation: [
      { at: 0, who: '*', text: `Asked DNS for the mail servers of ${delivery.domain}: ${verdict.advice}` },
    ],
  }
}
