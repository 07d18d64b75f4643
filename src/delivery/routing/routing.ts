import { explainCategory } from '../../classification/advise.ts'
import { classifyDns, enhancedCodeOf } from '../../classification/classify.ts'
import type { Relay } from '../../config/relay.ts'
import type { DeliveryMode } from '../../config/values.ts'
import type { MxAnswer, MxHost, MxResolver } from '../../lib/dns/mx.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { DeliveryResult, DueDelivery, EmailTag } from '../../queue/types.ts'
import type { Rules } from '../rules/read-site-rules.ts'
import type { FallbackAfter, RouteRule } from '../rules/relay-rules.ts'
import { bearsTag } from '../rules/tag-match.ts'
import { endsWithAny, findDomainRule } from '../sites/shaping.ts'
import type { WaitForDns } from './dns-waits.ts'

/**
 * One hop to a recipient: the hosts of its site, or a relay. Each is a separate site with its own limits and pauses.
 */
export interface Hop {
  site: string
  relay: Relay | null
  /** The hosts of the MX set, as resolved when the delivery was routed. Empty for relays and fixed sites. */
  hosts: readonly MxHost[]
  /** The shaping rule that separates this site from the rest of its MX set. Absent or null if it is the whole set. */
  partOf?: string | null
}

/** The hops of a delivery in order of preference, and a fallback. */
export interface Hops {
  hops: readonly Hop[]
  fallback?: { hop: Hop; after: FallbackAfter }
  /**
   * Only some mail to the domain takes these hops (a team's, or with a tag), so that their closing does not close the
   * domain.
   */
  isForSome?: boolean
}

/** Where a delivery goes: its hops, or the result when there are none. */
type Route = Hops | { result: DeliveryResult }

export interface Routing {
  /** The sites of all mail (relay and capture modes); empty when each domain has its own. */
  readonly fixedSites: readonly string[]
  route(delivery: DueDelivery, waitForDns: WaitForDns): Promise<Route>
  /** Prefetches the DNS records that `route` and a connection will need for this domain. */
  prefetch(domain: string): void
  /** Returns the domains whose known sites all satisfy `test`. */
  domainsOf(test: (site: string) => boolean): string[]
  /** Returns whether all known sites of the domain satisfy `test`; false when none is known. */
  isKnownTo(domain: string, test: (site: string) => boolean): boolean
}

/** Domains whose site is remembered, for claims to skip; others are looked up in DNS (and its cache) again. */
const DOMAINS_MAX = 20_000

type RoutingRules = Pick<Rules, 'shaping' | 'routes'>
type TagsOf = (delivery: DueDelivery) => Promise<readonly EmailTag[]>

const NO_RULES = { shaping: [], routes: [] }
const noTags = async () => []
const CROWDED: MxAnswer = { kind: 'temporary', reason: 'too much mail waits for slow answers' }

/**
 * Creates routing for the delivery mode; `direct` uses DNS and the routes of the active rules.
 * @param tagsOf loads the tags of a delivery that was claimed without them
 */
export function createRouting(
  mode: DeliveryMode,
  mx: MxResolver,
  clock: Clock,
  rules: () => RoutingRules = () => NO_RULES,
  tagsOf: TagsOf = noTags,
): Routing {
  if (mode.kind === 'direct') return routeByMx(mx, clock, rules, tagsOf)
  const hops: readonly Hop[] =
    mode.kind === 'relay' ? mode.relays.map(hopBy) : [{ site: mode.kind, relay: null, hosts: [] }]
  return {
    fixedSites: hops.map(({ site }) => site),
    route: async () => ({ hops }),
    prefetch: () => {},
    domainsOf: () => [],
    isKnownTo: (_domain, test) => hops.every(({ site }) => test(site)),
  }
}

/** Recipients whose domains share an MX set share a site, its connections and its limits. */
function routeByMx(mx: MxResolver, clock: Clock, rules: () => RoutingRules, tagsOf: TagsOf): Routing {
  /** Any of these sites may take mail for the domain. */
  const sitesOfDomain = new Map<string, readonly string[]>()

  function remember(domain: string, { hops, fallback, isForSome }: Hops): void {
    sitesOfDomain.delete(domain)
    if (isForSome === true) return
    const all = fallback === undefined ? hops : [...hops, fallback.hop]
    sitesOfDomain.set(
      domain,
      all.map(({ site }) => site),
    )
    if (sitesOfDomain.size > DOMAINS_MAX) sitesOfDomain.delete(sitesOfDomain.keys().next().value as string)
  }

  return {
    fixedSites: [],
    prefetch: (domain) => mx.prefetch(domain),
    async route(delivery, waitForDns) {
      const startedAt = clock.now()
      const answer = (await waitForDns(mx.resolve(delivery.domain, delivery.teamId))) ?? CROWDED
      const ways = await findWays(rules(), delivery, answer, tagsOf)
      if (ways === null) {
        const none = answer as Exclude<MxAnswer, { kind: 'hosts' }>
        return { result: unroutable(delivery, none, startedAt, clock.now()) }
      }
      remember(delivery.domain, ways)
      return ways
    },
    domainsOf(test) {
      const refusals = new Map<string, boolean>()
      const isRefused = (site: string): boolean => {
        const isRefused = refusals.get(site)
        if (isRefused !== undefined) return isRefused
        refusals.set(site, test(site))
        return refusals.get(site) as boolean
      }
      const domains: string[] = []
      for (const [domain, sites] of sitesOfDomain) if (sites.every(isRefused)) domains.push(domain)
      return domains
    },
    isKnownTo: (domain, test) => sitesOfDomain.get(domain)?.every(test) ?? false,
  }
}

/** Returns the relays that a rule names, or the domain's own hosts; null when there are none. */
async function findWays(
  { shaping, routes }: RoutingRules,
  delivery: DueDelivery,
  answer: MxAnswer,
  tagsOf: TagsOf,
): Promise<Hops | null> {
  const hosts = answer.kind === 'hosts' ? answer.hosts.map(({ name }) => name) : []
  const fitting = routes.filter((rule) => fits(rule, delivery.domain, hosts))
  const rule = await findRule(fitting, delivery, tagsOf)
  const isForSome = fitting.some(({ team, tag }) => team !== null || tag !== null)
  const hops = (rule?.via ?? [null]).flatMap((relay) => {
    if (relay !== null) return hopBy(relay)
    if (answer.kind !== 'hosts') return []
    const partOf = findDomainRule(shaping, delivery.domain, hosts)
    const site = partOf === null ? answer.site : `${answer.site} (${partOf})`
    return { site, relay: null, hosts: answer.hosts, partOf }
  })
  if (hops.length === 0) return null
  if (rule?.fallback == null) return { hops, isForSome }
  const { relay, after } = rule.fallback
  return { hops, isForSome, fallback: { hop: hopBy(relay), after } }
}

/** Returns the first rule for the domain that matches this email. Tags are loaded only when a rule needs them. */
async function findRule(
  fitting: readonly RouteRule[],
  delivery: DueDelivery,
  tagsOf: TagsOf,
): Promise<RouteRule | null> {
  let tags = delivery.tags
  for (const rule of fitting) {
    if (rule.team !== null && !rule.team.has(delivery.teamId)) continue
    if (rule.tag === null) return rule
    tags ??= await tagsOf(delivery)
    const loadedTags = tags
    if (rule.tag.some((tag) => bearsTag(loadedTags, tag))) return rule
  }
  return null
}

function hopBy(relay: Relay): Hop {
  return { site: `relay:${relay.host}:${relay.port}`, relay, hosts: [] }
}

/** Returns whether the rule applies to the domain's mail, whatever its team and tags. */
function fits(rule: RouteRule, domain: string, hosts: readonly string[]): boolean {
  return (
    (rule.domain === null || rule.domain.has(domain)) && (rule.mx === null || endsWithAny(hosts, rule.mx))
  )
}

function unroutable(
  delivery: DueDelivery,
  answer: Exclude<MxAnswer, { kind: 'hosts' }>,
  startedAt: Date,
  endedAt: Date,
): DeliveryResult {
  const verdict = classifyDns(answer)
  const explanation = explainCategory(verdict.category)
  const why = answer.kind === 'temporary' ? ` (${answer.reason})` : ''
  return {
    delivery,
    verdict,
    startedAt,
    durationMs: endedAt.getTime() - startedAt.getTime(),
    smtpCode: null,
    enhancedCode: enhancedCodeOf(answer.kind),
    response: explanation,
    mxHost: null,
    mxAddress: null,
    tls: null,
    transcript: [
      {
        at: 0,
        who: '*',
        text: `Looked up the mail servers of ${delivery.domain}: ${explanation}${why}`,
      },
    ],
  }
}
