import type { DueDelivery } from '../../queue/types.ts'
import { type FoundHops, isFallbackDue, isRefusedBefore } from '../routing/route-resolver.ts'
import type { SiteRule } from '../rules/shaping-rules.ts'
import { divideShaping } from '../sites/divide-shaping.ts'
import type { AttemptReport, Outcomes, PostponedReport } from '../sites/outcomes.ts'
import { type Shaping, shapeSite } from '../sites/shaping.ts'
import { Site } from '../sites/site.ts'
import type { SiteKey } from '../sites/site-key.ts'
import { SiteSet } from '../sites/site-set.ts'
import type { SiteDeps } from '../sites/site-types.ts'

export interface SiteDispatcherDeps extends SiteDeps {
  /** The rules in force. */
  shaping(): readonly SiteRule[]
  /** The workers that share the limits of each site; one by default. */
  workers?: number
  /** Returns the number of sources. */
  countSources(): number
}

/** The remaining hops of a delivery, in case its site is down. */
interface RemainingHops {
  keys: readonly SiteKey[]
  fallback: FoundHops['fallback']
  /** Whether the delivery is at the fallback now. */
  isAtFallback: boolean
}

const NONE_REMAINING: RemainingHops = { keys: [], fallback: null, isAtFallback: false }

/** Gives deliveries to the sites of their hops, and to the next hop when a site is down. */
export class SiteDispatcher {
  readonly sites: SiteSet
  readonly #deps: SiteDispatcherDeps
  /** What the sites call: outcomes that another hop may change come here first. */
  readonly #siteDeps: SiteDeps
  readonly #remaining = new WeakMap<DueDelivery, RemainingHops>()
  #isDraining = false

  constructor(deps: SiteDispatcherDeps) {
    this.#deps = deps
    const settled: Outcomes['settled'] = (report) => this.#settled(report)
    const postponed: Outcomes['postponed'] = (report) => this.#postponed(report)
    this.#siteDeps = { ...deps, outcomes: { ...deps.outcomes, settled, postponed } }
    this.sites = new SiteSet((key) => new Site(key, this.#shape(key), this.#siteDeps), deps.countSources)
  }

  /** Places a delivery at the first hop whose site accepts it now; if none does, at the one that opens first. */
  place(delivery: DueDelivery, { keys, fallback }: FoundHops): void {
    this.#put(delivery, { keys: this.#order(delivery, keys, fallback), fallback })
  }

  /** Does not order the hops again: a relay that is due would be attempted in a loop. */
  #put(delivery: DueDelivery, { keys, fallback }: FoundHops): void {
    const { isBulk, message } = delivery
    const open = keys.findIndex((key) => this.sites.of(key).accepts(isBulk, message === null))
    const at = open >= 0 ? open : this.#soonest(keys)
    const key = keys[at] as SiteKey
    const nextKeys = open >= 0 ? keys.filter((_, place) => place > at) : []
    // Most deliveries have a single hop, and an entry costs more than the rest of this function.
    const isAtFallback = key.site === fallback?.key.site
    if (nextKeys.length > 0 || fallback !== null)
      this.#remaining.set(delivery, { keys: nextKeys, fallback, isAtFallback })
    else this.#remaining.delete(delivery)
    this.sites.of(key).add(delivery)
  }

  /** Applies changed rules. */
  reshape(): void {
    for (const { key, site } of this.sites.all()) site.reshape(this.#shape(key))
  }

  /** Starts no more deliveries. Returns those that never started. */
  async drain(): Promise<DueDelivery[]> {
    this.#isDraining = true
    return this.sites.drain()
  }

  #order(
    delivery: DueDelivery,
    keys: readonly SiteKey[],
    fallback: FoundHops['fallback'],
  ): readonly SiteKey[] {
    const [first] = keys
    if (fallback === null || first === undefined) return keys
    if (fallback.after.kind === 'unreachable') return [...keys, fallback.key]
    const { pause } = this.sites.of(first).view
    if (!isFallbackDue(fallback, delivery, pause, this.#deps.clock.now().getTime())) return keys
    // Do not attempt a hop again that rejected the delivery for such a reason, even while the relay is down.
    return isRefusedBefore(fallback) ? [fallback.key] : [fallback.key, ...keys]
  }

  /**
   * Returns the index of the site that accepts mail first: one that is merely full, else the one whose pause ends
   * first.
   */
  #soonest(keys: readonly SiteKey[]): number {
    const ends = keys.map((key) => {
      const site = this.sites.of(key)
      return site.isShut || site.isProbing ? (site.view.pause?.untilMs ?? 0) : 0
    })
    return ends.indexOf(Math.min(...ends))
  }

  #shape({ hosts, relay, partOf }: SiteKey): Shaping {
    const names = relay === null ? hosts.map(({ name }) => name) : [relay.host]
    const shaping = shapeSite(this.#deps.shaping(), { hosts: names, partOf: partOf ?? null })
    return divideShaping(shaping, this.#deps.workers ?? 1)
  }

  /** Continues with the next hop if no host of the site could be reached. Otherwise the attempt has ended. */
  #settled(report: AttemptReport): void {
    const { delivery } = report.result
    const { keys, fallback, isAtFallback } = this.#remaining.get(delivery) ?? NONE_REMAINING
    if (report.isUnreached === true && keys.length > 0 && !this.#isDraining)
      this.#put(delivery, { keys, fallback })
    else this.#deps.outcomes.settled(isAtFallback ? report : this.#deferToRelay(report, fallback))
  }

  /**
   * A rejection for which a rule names a relay is not final, even if another relay rejected: delivery continues with the
   * fallback immediately.
   */
  #deferToRelay(report: AttemptReport, fallback: FoundHops['fallback']): AttemptReport {
    const { result } = report
    const { verdict } = result
    if (fallback?.after.kind !== 'categories') return report
    if (!fallback.after.names.has(verdict.category)) return report
    const deferred = { ...verdict, state: 'deferred', suppress: false, next: 'relay' } as const
    return { ...report, result: { ...result, verdict: deferred }, dueAt: this.#deps.clock.now() }
  }

  /** Continues with the next hop if the site is paused. Without one, or if our own rules limit its rate, it waits. */
  #postponed(report: PostponedReport): void {
    const { delivery, waitsFor } = report
    const { keys, fallback } = this.#remaining.get(delivery) ?? NONE_REMAINING
    if (waitsFor === undefined) this.#deps.outcomes.postponed(report)
    else if (keys.length > 0 && !this.#isDraining) this.#put(delivery, { keys, fallback })
    else this.#deps.outcomes.postponed(this.#untilRelay(report, fallback))
  }

  /** A delivery whose relay becomes due before its site opens waits only until then. */
  #untilRelay(report: PostponedReport, fallback: FoundHops['fallback']): PostponedReport {
    if (fallback?.after.kind !== 'age') return report
    const relayAtMs = report.delivery.createdAt.getTime() + fallback.after.ms
    const isSooner = relayAtMs > this.#deps.clock.now().getTime() && relayAtMs < report.until.getTime()
    return isSooner ? { ...report, until: new Date(relayAtMs) } : report
  }
}
