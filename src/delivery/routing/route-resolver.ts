import type { Clock } from '../../lib/time/clock.ts'
import type { DeliveryResult, DueDelivery } from '../../queue/types.ts'
import type { FallbackAfter } from '../rules/relay-rules.ts'
import { groupOf, type SiteKey } from '../sites/site-key.ts'
import type { PickSource } from '../sources/source.ts'
import type { TlsClassOf } from '../tls/tls-policies.ts'
import { DnsWaits } from './dns-waits.ts'
import type { Hop, Routing } from './routing.ts'

export interface RouteResolverDeps {
  clock: Clock
  routing: Routing
  pickSource: PickSource
  tlsClass: TlsClassOf
  /** Returns the categories in which its attempts failed. */
  attemptedCategoriesOf(delivery: DueDelivery): Promise<ReadonlySet<string>>
  /** Returns how many deliveries of one team may wait for slow DNS now. */
  waitingMax(): number
}

/** The keys of the sites that a delivery may go to, in order of preference. */
export interface FoundHops {
  keys: readonly SiteKey[]
  fallback: { key: SiteKey; after: FallbackAfter; attempted: ReadonlySet<string> } | null
}

/** A delivery that cannot start now: what ended it, or until when it waits, and why. */
type NoHops = { result: DeliveryResult } | { until: Date; reason: string }

const NO_CATEGORIES: ReadonlySet<string> = new Set()

/** Resolves a delivery to the sites that can take it: its route, and the source and TLS class of each hop. */
export class RouteResolver {
  readonly #deps: RouteResolverDeps
  readonly #strictDomains = new StrictDomains()
  readonly #dnsWaits: DnsWaits

  constructor(deps: RouteResolverDeps) {
    this.#deps = deps
    this.#dnsWaits = new DnsWaits(deps.waitingMax)
  }

  /** Returns the hops; if there are none, the result of the attempt or the wait. */
  async find(delivery: DueDelivery): Promise<FoundHops | NoHops> {
    const route = await this.#deps.routing.route(delivery, (asking) =>
      this.#dnsWaits.wait(delivery.teamId, asking),
    )
    if ('result' in route) return route
    const hasOthers = route.hops.length > 1 || route.fallback !== undefined || route.isForSome === true
    const keys: SiteKey[] = []
    let wait: { until: Date; reason: string } | null = null
    for (const hop of route.hops) {
      const outcome = await this.#keyOf(delivery, hop, hasOthers)
      if ('until' in outcome) wait ??= outcome
      else keys.push(outcome)
    }
    const fallback = route.fallback === undefined ? null : await this.#fallback(delivery, route.fallback)
    if (keys.length > 0 || wait === null) return { keys, fallback }
    if (fallback !== null) return { keys: [fallback.key], fallback: null }
    return wait
  }

  /** Returns whether all sites for the domain's mail are known to accept nothing now. */
  isRefused(domain: string, isRefusing: (group: string) => boolean): boolean {
    return (
      this.#strictDomains.isRefused(domain, isRefusing) ?? this.#deps.routing.isKnownTo(domain, isRefusing)
    )
  }

  domainsToSkip(isRefusing: (group: string) => boolean): string[] {
    return this.#strictDomains.skip(this.#deps.routing.domainsOf(isRefusing), isRefusing)
  }

  async #fallback(delivery: DueDelivery, { hop, after }: { hop: Hop; after: FallbackAfter }) {
    const key = await this.#keyOf(delivery, hop, true)
    if ('until' in key) return null
    const asksReason = after.kind === 'categories' && delivery.attempts > 0
    const attempted = asksReason ? await this.#deps.attemptedCategoriesOf(delivery) : NO_CATEGORIES
    return { key, after, attempted }
  }

  async #keyOf(
    delivery: DueDelivery,
    hop: Hop,
    hasOthers: boolean,
  ): Promise<SiteKey | { until: Date; reason: string }> {
    const choice = await this.#deps.pickSource(delivery, { name: hop.site, hosts: hop.hosts })
    if ('until' in choice) return choice
    const { tls, usual } = await this.#deps.tlsClass(delivery, hop)
    if (hop.relay === null) {
      // A domain with another hop is skipped only when all of its hops are closed, which routing knows.
      const isOrdinary = usual === 'opportunistic' || hasOthers
      this.#strictDomains.note(delivery.domain, isOrdinary ? null : groupOf({ ...hop, tls: usual }))
    }
    return { ...hop, source: choice.source, tls }
  }
}

/** Returns whether the fallback relay is due; `pause` is that of the first hop's site, or null. */
export function isFallbackDue(
  { after, attempted }: NonNullable<FoundHops['fallback']>,
  delivery: DueDelivery,
  pause: { failures: number; category: string } | null,
  nowMs: number,
): boolean {
  switch (after.kind) {
    case 'unreachable':
      return false
    case 'attempts':
      // A postponed delivery makes no attempts itself: the site's failures count as its attempts.
      return Math.max(delivery.attempts, pause?.failures ?? 0) >= after.count
    case 'age':
      return nowMs >= delivery.createdAt.getTime() + after.ms
    case 'categories':
      return isRefusedBefore({ after, attempted }) || after.names.has(pause?.category ?? '')
  }
}

/** Returns whether an earlier attempt failed for a reason that makes the relay the next hop. */
export function isRefusedBefore({
  after,
  attempted,
}: Pick<NonNullable<FoundHops['fallback']>, 'after' | 'attempted'>): boolean {
  return after.kind === 'categories' && [...attempted].some((category) => after.names.has(category))
}

/** Domains remembered; the least recently seen are treated as ordinary again. */
const DOMAINS_MAX = 20_000

/**
 * Domains that demand TLS of every sender (MTA-STS, DANE). Their mail has separate sites, and those decide whether more
 * of it may be claimed, not the site that shares their hosts without TLS demands.
 */
class StrictDomains {
  readonly #siteOfDomain = new Map<string, string>()

  /** Records the site of a domain; `site` null: the domain demands nothing. */
  note(domain: string, site: string | null): void {
    this.#siteOfDomain.delete(domain)
    if (site === null) return
    this.#siteOfDomain.set(domain, site)
    if (this.#siteOfDomain.size > DOMAINS_MAX) {
      this.#siteOfDomain.delete(this.#siteOfDomain.keys().next().value as string)
    }
  }

  /** Returns null for an ordinary domain. */
  isRefused(domain: string, isRefusing: (site: string) => boolean): boolean | null {
    const site = this.#siteOfDomain.get(domain)
    return site === undefined ? null : isRefusing(site)
  }

  /**
   * Returns the domains for claims to skip: the ordinary ones of `plain`, and the strict ones whose own site accepts no
   * more.
   */
  skip(plain: readonly string[], isRefusing: (site: string) => boolean): string[] {
    const domains = plain.filter((domain) => !this.#siteOfDomain.has(domain))
    for (const [domain, site] of this.#siteOfDomain) if (isRefusing(site)) domains.push(domain)
    return domains
  }
}
