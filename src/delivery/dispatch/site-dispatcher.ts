import type { LoopSlicer } from '../../lib/async/loop-slicer.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { DeliveryResult, DueDelivery } from '../../queue/types.ts'
import type { Opened } from '../client/mail-connection.ts'
import { type FoundHops, isFallbackDue, isRefusedBefore, SHAPED } from '../routing/route-resolver.ts'
import type { SiteRule } from '../rules/shaping-rules.ts'
import type { Report } from '../settle/settle-deliveries.ts'
import { divideShaping } from '../sites/divide-shaping.ts'
import { type Shaping, shapeSite } from '../sites/shaping.ts'
import { Site } from '../sites/site.ts'
import type { Board } from '../sites/site-board.ts'
import type { SiteKey } from '../sites/site-key.ts'
import { SiteSet } from '../sites/site-set.ts'
import type { Pause } from '../sites/site-throttle.ts'

export interface SiteDispatcherDeps {
  clock: Clock
  random: () => number
  board: Board
  /** The rules in force. */
  shaping(): readonly SiteRule[]
  /** The workers that share the limits of each site; one by default. */
  workers?: number
  /** Pauses after failures, in milliseconds. */
  probesMs(): readonly number[]
  /** Returns the number of sources. */
  countSources(): number
  slicer: LoopSlicer
  isFirst(delivery: DueDelivery): boolean
  open(key: SiteKey, delivery: DueDelivery): Promise<Opened>
  finish(delivery: DueDelivery, report: Report): void
  giveUp(delivery: DueDelivery, error: unknown): void
  withdraw(delivery: DueDelivery): Promise<boolean>
  drop(delivery: DueDelivery): void
  waitingMax(isBulk: boolean): number
  wake(): void
}

/** The remaining hops of a delivery, in case its site is down. */
interface Left {
  keys: readonly SiteKey[]
  fallback: FoundHops['fallback']
}

const NONE_LEFT: Left = { keys: [], fallback: null }

/** Gives deliveries to the sites of their hops, and to the next hop when a site is down. */
export class SiteDispatcher {
  readonly sites: SiteSet
  readonly #deps: SiteDispatcherDeps
  readonly #left = new WeakMap<DueDelivery, Left>()
  #isDraining = false

  constructor(deps: SiteDispatcherDeps) {
    this.#deps = deps
    this.sites = new SiteSet((key, name) => this.#makeSite(key, name), deps.countSources)
  }

  /** Places a delivery at the first hop whose site accepts it now; if none does, at the one that opens first. */
  place(delivery: DueDelivery, { keys: given, fallback }: FoundHops): void {
    const keys = this.#order(delivery, given, fallback)
    const open = keys.findIndex((key) => this.sites.of(key).accepts(delivery.isBulk))
    const at = open >= 0 ? open : this.#soonest(keys)
    const key = keys[at] as SiteKey
    const left = open >= 0 ? keys.filter((_, place) => place > at) : []
    // Most deliveries have a single hop, and an entry costs more than the rest of this function.
    if (left.length > 0 || fallback !== null) this.#left.set(delivery, { keys: left, fallback })
    else this.#left.delete(delivery)
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

  #makeSite(key: SiteKey, name: string): Site {
    const { board, clock, random, finish } = this.#deps
    const isRelay = key.relay !== null
    const site = new Site({
      clock,
      random,
      probesMs: () => this.#deps.probesMs(),
      shaping: this.#shape(key),
      slicer: this.#deps.slicer,
      isFirst: (delivery) => this.#deps.isFirst(delivery),
      open: (delivery) => this.#deps.open(key, delivery),
      giveUp: (delivery, error) => this.#deps.giveUp(delivery, error),
      withdraw: (delivery) => this.#deps.withdraw(delivery),
      drop: (delivery) => this.#deps.drop(delivery),
      report: (result) => finish(result.delivery, this.#reportOf(result, isRelay)),
      failOver: (delivery, failed) => this.#failOver(delivery, failed, name, isRelay),
      postpone: (delivery, until, pause) => this.#postpone(delivery, until, pause, name),
      waitingMax: (isBulk) => this.#deps.waitingMax(isBulk),
      wake: () => this.#deps.wake(),
      mayProbe: () => board.mayProbe(name),
      paused: (pause) => board.paused(name, pause),
      answered: () => board.answered(name),
    })
    const known = board.known(name)
    if (known !== null) site.adopt(known)
    return site
  }

  /** A rejection for which a rule names a relay is not final: delivery continues with the relay immediately. */
  #reportOf(result: DeliveryResult, isRelay: boolean): Extract<Report, { kind: 'attempted' }> {
    const { fallback } = this.#left.get(result.delivery) ?? NONE_LEFT
    const { verdict } = result
    const report = { kind: 'attempted', isRelay } as const
    if (isRelay || fallback?.after.kind !== 'categories' || !fallback.after.names.has(verdict.category)) {
      return { ...report, result }
    }
    const deferred = { ...verdict, state: 'deferred', suppress: false, next: 'relay' } as const
    return { ...report, result: { ...result, verdict: deferred }, dueAt: this.#deps.clock.now() }
  }

  /** Continues with the next hop after no host of a site could be reached. Without a next hop, ends the attempt. */
  #failOver(delivery: DueDelivery, failed: DeliveryResult, name: string, isRelay: boolean): void {
    const { keys } = this.#left.get(delivery) ?? NONE_LEFT
    if (keys.length > 0 && !this.#isDraining) this.place(delivery, { keys, fallback: null })
    else {
      const report = this.#reportOf(failed, isRelay)
      // The delivery's next attempt may be hours away, but it becomes due with the others when the site answers again.
      const isSiteDown = this.sites.get(name)?.isShut === true
      this.#deps.finish(delivery, isSiteDown ? { ...report, waitsFor: name } : report)
    }
  }

  #postpone(delivery: DueDelivery, until: Date, pause: Pause | null, name: string): void {
    const { keys, fallback } = this.#left.get(delivery) ?? NONE_LEFT
    if (pause === null) {
      const response = `The shaping rules limit the rate of mail to ${name}. The delivery waits for its turn.`
      this.#deps.finish(delivery, { kind: 'postponed', delivery, until, category: SHAPED, response })
      return
    }
    if (keys.length > 0 && !this.#isDraining) return void this.place(delivery, { keys, fallback: null })
    const { category, reason: response } = pause
    const relayAtMs = fallback?.after.kind === 'age' ? delivery.createdAt.getTime() + fallback.after.ms : null
    const isSooner =
      relayAtMs !== null && relayAtMs > this.#deps.clock.now().getTime() && relayAtMs < until.getTime()
    this.#deps.finish(delivery, {
      kind: 'postponed',
      delivery,
      until: isSooner ? new Date(relayAtMs) : until,
      category,
      response,
      waitsFor: name,
    })
  }
}
