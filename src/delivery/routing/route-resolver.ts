import type { Clock } from '../../lib/time/clock.ts'
import type { DueDelivery } from '../../queue/types.ts'
import type { Report } from '../settle/settle-deliveries.ts'
import { groupOf, type SiteKey } from '../sites/site-key.ts'
import type { PickSource } from '../sources/source.ts'
import type { TlsClassOf } from '../tls/tls-class.ts'
import { DnsWaits } from './dns-waits.ts'
import type { FallbackAfter } from './relay-rules.ts'
import type { Hop, Routing } from './routing.ts'
import { StrictDomains } from './strict-domains.ts'

export interface RouteResolverDeps {
  clock: Clock
  routing: Routing
  pickSource: PickSource
  tlsClass: TlsClassOf
  /** For what reasons its tries did not succeed. */
  attemptedCategoriesOf(delivery: DueDelivery): Promise<ReadonlySet<string>>
  /** How many may wait for one slow thing now. */
  waitingMax(): number
}

/** The keys of the sites that a delivery may go by, in the order to be tried. */
export interface FoundHops {
  keys: readonly SiteKey[]
  fallback: { key: SiteKey; after: FallbackAfter; tried: ReadonlySet<string> } | null
}

/** Category of what waits for limits of our own: nobody refused anything. */
export const SHAPED = 'shaped'

const NOTHING_TRIED: ReadonlySet<string> = new Set()

/** From a delivery to the sites that can take it: its route, the source and the class of TLS for each way. */
export class RouteResolver {
  readonly #deps: RouteResolverDeps
  readonly #strictDomains = new StrictDomains()
  readonly #dnsWaits: DnsWaits

  constructor(deps: RouteResolverDeps) {
    this.#deps = deps
    this.#dnsWaits = new DnsWaits(deps.waitingMax)
  }

  /** The ways, or what becomes of the delivery where there is none now. */
  async find(delivery: DueDelivery): Promise<FoundHops | { report: Report }> {
    const route = await this.#deps.routing.route(delivery, (asking) =>
      this.#dnsWaits.wait(delivery.teamId, asking),
    )
    if ('result' in route) return { report: { kind: 'tried', result: route.result } }
    const hasOthers = route.hops.length > 1 || route.fallback !== undefined || route.isForSome === true
    const keys: SiteKey[] = []
    let wait: { until: Date; reason: string } | null = null
    for (const hop of route.hops) {
      const found = await this.#keyOf(delivery, hop, hasOthers)
      if ('until' in found) wait ??= found
      else keys.push(found)
    }
    const fallback = route.fallback === undefined ? null : await this.#fallback(delivery, route.fallback)
    if (keys.length > 0 || wait === null) return { keys, fallback }
    if (fallback !== null) return { keys: [fallback.key], fallback: null }
    const { until, reason: response } = wait
    return { report: { kind: 'postponed', delivery, until, category: SHAPED, response } }
  }

  /** Whether the domain's mail is known to have nowhere to go now. */
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
    const tried = asksReason ? await this.#deps.attemptedCategoriesOf(delivery) : NOTHING_TRIED
    return { key, after, tried }
  }

  async #keyOf(
    delivery: DueDelivery,
    hop: Hop,
    hasOthers: boolean,
  ): Promise<SiteKey | { until: Date; reason: string }> {
    const picked = await this.#deps.pickSource(delivery, { name: hop.site, hosts: hop.hosts })
    if ('until' in picked) return picked
    const { tls, usual } = await this.#deps.tlsClass(delivery, hop)
    if (hop.relay === null) {
      // A domain that has another way is skipped only when all of its ways are shut, which routing knows.
      const isOrdinary = usual === 'opportunistic' || hasOthers
      this.#strictDomains.note(delivery.domain, isOrdinary ? null : groupOf({ ...hop, tls: usual }))
    }
    return { ...hop, source: picked.source, tls }
  }
}

/** Whether the time has come for the relay to fall back to; `pause` is that of the first way, null when it has none. */
export function isFallbackDue(
  { after, tried }: NonNullable<FoundHops['fallback']>,
  delivery: DueDelivery,
  pause: { failures: number; category: string } | null,
  nowMs: number,
): boolean {
  switch (after.kind) {
    case 'unreachable':
      return false
    case 'attempts':
      // What is postponed makes no attempts of its own: the site's failures are the others' attempts.
      return Math.max(delivery.attempts, pause?.failures ?? 0) >= after.count
    case 'age':
      return nowMs >= delivery.createdAt.getTime() + after.ms
    case 'categories':
      return isRefusedBefore({ after, tried }) || after.names.has(pause?.category ?? '')
  }
}

/** Whether a try of its own ended for a reason for which the relay is next. */
export function isRefusedBefore({
  after,
  tried,
}: Pick<NonNullable<FoundHops['fallback']>, 'after' | 'tried'>): boolean {
  return after.kind === 'categories' && [...tried].some((category) => after.names.has(category))
}
