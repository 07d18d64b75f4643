import type { Clock } from '../base/clock.ts'
import type { MxAnswer, MxHost, MxResolver } from '../base/mx.ts'
import type { DeliveryMode, Relay } from '../config.ts'
import { classifyDns, enhancedCodeOf } from '../operations/classify/classify.ts'
import type { DeliveryResult, DueDelivery } from '../queue/types.ts'
import type { Rules } from './rules/read-rules.ts'
import type { FallbackAfter, RouteRule } from './rules/relay-rules.ts'
import { endsWithAny, findDomainRule } from './shaping/shaping.ts'

/** One way to a recipient: the hosts of its site, or a relay. Each is a site of its own, with its limits and pauses. */
export interface Way {
  site: string
  relay: Relay | null
  /** The shaping rule that parted it from the rest of its MX set; absent: it is the whole. */
  partOf?: string | null
}

/** The ways of a delivery in the order to be tried, and one more for when they do not do. */
export interface Ways {
  ways: readonly Way[]
  fallback?: { way: Way; after: FallbackAfter }
}

/** Where a delivery goes: by the first of its ways that is not paused, or nowhere, with the reason as its result. */
export type Route = Ways | { result: DeliveryResult }

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

const NO_RULES = { shaping: [], routes: [] }

export function createRouting(
  mode: DeliveryMode,
  mx: MxResolver,
  clock: Clock,
  rules: () => Pick<Rules, 'shaping' | 'routes'> = () => NO_RULES,
): Routing {
  if (mode.kind === 'direct') return routeByMx(mx, clock, rules)
  const ways: readonly Way[] =
    mode.kind === 'relay' ? mode.relays.map(wayBy) : [{ site: mode.kind, relay: null }]
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
function routeByMx(mx: MxResolver, clock: Clock, rules: () => Pick<Rules, 'shaping' | 'routes'>): Routing {
  /** Any of these may take mail for the domain. */
  const sitesOfDomain = new Map<string, readonly string[]>()
  const hostsOfSite = new Map<string, readonly MxHost[]>()

  /** A site's hosts are remembered as long as one of its domains is. */
  const domainCountOfSite = new Map<string, number>()

  function forget(domain: string): void {
    for (const site of sitesOfDomain.get(domain) ?? []) {
      const left = (domainCountOfSite.get(site) ?? 1) - 1
      if (left > 0) domainCountOfSite.set(site, left)
      else {
        domainCountOfSite.delete(site)
        hostsOfSite.delete(site)
      }
    }
    sitesOfDomain.delete(domain)
  }

  function remember(domain: string, { ways, fallback }: Ways, hosts: readonly MxHost[]): void {
    const all = fallback === undefined ? ways : [...ways, fallback.way]
    forget(domain)
    sitesOfDomain.set(
      domain,
      all.map(({ site }) => site),
    )
    for (const { site, relay } of all) {
      domainCountOfSite.set(site, (domainCountOfSite.get(site) ?? 0) + 1)
      if (relay === null) hostsOfSite.set(site, hosts)
    }
    if (sitesOfDomain.size > DOMAINS_MAX) forget(sitesOfDomain.keys().next().value as string)
  }

  /** By the relay that a rule names, else to the domain's own hosts. */
  function findWays(delivery: DueDelivery, answer: MxAnswer): Ways | null {
    const { shaping, routes } = rules()
    const hosts = answer.kind === 'hosts' ? answer.hosts.map(({ name }) => name) : []
    const rule = findRoute(routes, delivery, hosts)
    const ways: Way[] = []
    if (rule?.via != null) ways.push(wayBy(rule.via))
    else if (answer.kind === 'hosts') {
      const partOf = findDomainRule(shaping, delivery.domain, hosts)
      ways.push({ site: partOf === null ? answer.site : `${answer.site} (${partOf})`, relay: null, partOf })
    }
    if (ways.length === 0) return null
    if (rule?.fallback == null) return { ways }
    return { ways, fallback: { way: wayBy(rule.fallback.relay), after: rule.fallback.after } }
  }

  return {
    fixedSites: [],
    prefetch: (domain) => mx.prefetch(domain),
    async route(delivery) {
      const startedAt = clock.now()
      const answer = await mx.resolve(delivery.domain)
      const found = findWays(delivery, answer)
      if (found === null) {
        const none = answer as Exclude<MxAnswer, { kind: 'hosts' }>
        return { result: unroutable(delivery, none, startedAt, clock.now()) }
      }
      remember(delivery.domain, found, answer.kind === 'hosts' ? answer.hosts : [])
      return found
    },
    hostsOf: (site) => hostsOfSite.get(site) ?? [],
    domainsOf(test) {
      const refused = new Map<string, boolean>()
      const isRefused = (site: string): boolean => {
        const known = refused.get(site)
        if (known !== undefined) return known
        refused.set(site, test(site))
        return refused.get(site) as boolean
      }
      const domains: string[] = []
      for (const [domain, sites] of sitesOfDomain) if (sites.every(isRefused)) domains.push(domain)
      return domains
    },
    isKnownTo: (domain, test) => sitesOfDomain.get(domain)?.every(test) ?? false,
  }
}

function wayBy(relay: Relay): Way {
  return { site: `relay:${relay.host}:${relay.port}`, relay }
}

/** The first rule that fits. */
function findRoute(
  routes: readonly RouteRule[],
  { domain, teamId }: DueDelivery,
  hosts: readonly string[],
): RouteRule | null {
  return (
    routes.find(
      (rule) =>
        (rule.domain === null || rule.domain.has(domain)) &&
        (rule.team === null || rule.team.has(teamId)) &&
        (rule.mx === null || endsWithAny(hosts, rule.mx)),
    ) ?? null
  )
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
