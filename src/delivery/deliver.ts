import { retryDelayMs } from '../base/backoff.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Report } from '../operations/settle-deliveries.ts'
import type { Sender } from '../operations/sign-message.ts'
import { simulatedOutcome } from '../operations/simulator.ts'
import type { DeliveryKey, DeliveryResult, DueDelivery, Verdict } from '../queue/types.ts'
import type { Destination } from '../queue/worker.ts'
import { HeldDeliveries, ROOM_WORTH_CLAIMING } from './held-deliveries.ts'
import type { Routing, Way } from './routing.ts'
import { simulate } from './simulate.ts'
import { type Opened, Site } from './site.ts'
import { nameOf, type SiteKey } from './site-key.ts'
import type { PickSource, Source } from './sources/source.ts'
import { StrictDomains } from './strict-domains.ts'
import type { TlsClassOf } from './tls-policy/tls-class.ts'
import { failUnsigned } from './unsendable.ts'

export interface DeliverDeps {
  clock: Clock
  log: Log
  retryScheduleMs: readonly number[]
  random: () => number
  routing: Routing
  pickSource: PickSource
  open(key: SiteKey, delivery: DueDelivery): Promise<Opened>
  /** What its domain asks for. */
  sender(delivery: DueDelivery): Promise<Pick<Sender, 'keys' | 'tls'>>
  tlsClass: TlsClassOf
  /** Loads the content of those that have none yet, unless it is large; which addresses were suppressed since acceptance. */
  prepare(deliveries: readonly DueDelivery[]): Promise<{ suppressed: Set<DueDelivery> }>
  isSuppressed(delivery: DueDelivery): Promise<boolean>
  /** Resolves when it is written. */
  settle(report: Report): Promise<void>
  /** There is room for more. */
  wake(): void
}

/** Category of what waits for limits of our own: nobody refused anything. */
const SHAPED = 'shaped'

const SITES_SWEEP_MS = 60_000

/** What assemble wires to the queue's worker and to acceptance. */
export interface Deliverer extends Destination {
  reserve(teamId: string, domain: string, bytes: number): boolean
  forgo(teamId: string, domain: string, bytes: number): void
  start(deliveries: DueDelivery[]): void
  /** For /readyz, /metrics and the journal of a stop. */
  readonly heldCount: number
}

/**
 * Spreads leased deliveries over sites and sees each through to its settlement. A delivery is *held* from the moment
 * it is added (or reserved, at acceptance) until its report is committed; what is held is bounded by count and bytes.
 */
export function createDeliverer(deps: DeliverDeps): Deliverer {
  return new SiteDeliverer(deps)
}

class SiteDeliverer implements Deliverer {
  readonly #deps: DeliverDeps
  readonly #sites = new Map<string, Site>()
  readonly #strictDomains = new StrictDomains()
  readonly #held = new HeldDeliveries()
  readonly #dispatching = new Set<Promise<void>>()
  readonly #unbegun: DueDelivery[] = []
  readonly #waysLeft = new WeakMap<DueDelivery, readonly SiteKey[]>()
  readonly #sweep: NodeJS.Timeout
  #isDraining = false

  constructor(deps: DeliverDeps) {
    this.#deps = deps
    this.#sweep = setInterval(() => this.#forgetSites(), SITES_SWEEP_MS).unref()
  }

  get heldCount(): number {
    return this.#held.count
  }

  room(): number {
    if (this.#isDraining) return 0
    const { fixedSites } = this.#deps.routing
    const isShut = fixedSites.length > 0 && fixedSites.every((site) => this.#isRefusing(site))
    return isShut ? 0 : this.#held.room
  }

  domainsToSkip(): string[] {
    const plain = this.#deps.routing.domainsOf((site) => this.#isRefusing(site))
    return this.#strictDomains.skip(plain, (site) => this.#isRefusing(site))
  }

  held(): DueDelivery[] {
    return this.#held.all()
  }

  async add(claimed: DueDelivery[]): Promise<void> {
    const deliveries = this.#held.pickNew(claimed)
    // Held before anything is awaited: their leases must be extended from now on.
    for (const delivery of deliveries) this.#held.note(delivery)
    try {
      for (const { domain } of deliveries) this.#deps.routing.prefetch(domain)
      const { suppressed } = await this.#deps.prepare(deliveries)
      for (const delivery of deliveries) this.#held.add(delivery)
      for (const delivery of suppressed) this.#finish(delivery, { kind: 'suppressed', delivery })
      this.#dispatchAll(deliveries.filter((delivery) => !suppressed.has(delivery)))
    } catch (error) {
      for (const delivery of deliveries) this.#held.forget(delivery)
      throw error
    }
  }

  reserve(teamId: string, domain: string, bytes: number): boolean {
    if (this.room() === 0) return false
    const isRefusing = (site: string) => this.#isRefusing(site)
    const isRefused = this.#strictDomains.isRefused(domain, isRefusing)
    if (isRefused ?? this.#deps.routing.isKnownTo(domain, isRefusing)) return false
    if (!this.#held.reserve(teamId, bytes)) return false
    // DNS answers while the acceptance commits.
    this.#deps.routing.prefetch(domain)
    return true
  }

  forgo(teamId: string, _domain: string, bytes: number): void {
    this.#held.unreserve(teamId, bytes)
  }

  start(deliveries: DueDelivery[]): void {
    for (const delivery of deliveries) {
      this.#held.unreserve(delivery.teamId, delivery.message?.bytes.length ?? 0)
      this.#held.add(delivery)
    }
    this.#dispatchAll(deliveries)
  }

  async drain(): Promise<DeliveryKey[]> {
    this.#isDraining = true
    clearInterval(this.#sweep)
    await Promise.all(this.#dispatching)
    const left = await Promise.all([...this.#sites.values()].map((site) => site.drain()))
    for (const delivery of left.flat()) this.#unbegun.push(delivery)
    await this.#held.emptyBut(new Set(this.#unbegun))
    return this.#unbegun
  }

  #isRefusing(site: string): boolean {
    return this.#sites.get(site)?.accepts === false
  }

  #forgetSites(): void {
    for (const [name, site] of this.#sites) if (site.isForgettable) this.#sites.delete(name)
  }

  #dispatchAll(deliveries: readonly DueDelivery[]): void {
    for (const delivery of deliveries) {
      const work: Promise<void> = this.#dispatch(delivery)
        .catch((error: unknown) => this.#giveUp(delivery, error))
        .finally(() => this.#dispatching.delete(work))
      this.#dispatching.add(work)
    }
  }

  /** Hands one delivery to its site, or finishes it where its domain or its simulator says so. */
  async #dispatch(delivery: DueDelivery): Promise<void> {
    const { clock, routing } = this.#deps
    const simulated = simulatedOutcome(delivery.addressKey)
    if (simulated !== null) {
      return this.#finish(delivery, { kind: 'tried', result: simulate(delivery, simulated, clock.now()) })
    }
    const sender = await this.#deps.sender(delivery)
    if (sender.keys.length === 0) {
      return this.#finish(delivery, { kind: 'tried', result: failUnsigned(delivery, clock.now()) })
    }
    const route = await routing.route(delivery)
    if ('result' in route) return this.#finish(delivery, { kind: 'tried', result: route.result })
    const keys: SiteKey[] = []
    for (const way of route.ways) {
      const site = { name: way.site, hosts: routing.hostsOf(way.site) }
      const picked = await this.#deps.pickSource(delivery, site)
      if ('source' in picked) keys.push(await this.#keyOf(delivery, way, picked.source))
      else if (way === route.ways.at(-1) && keys.length === 0) {
        const { until, reason: response } = picked
        return this.#finish(delivery, { kind: 'postponed', delivery, until, category: SHAPED, response })
      }
    }
    if (this.#isDraining) return void this.#unbegun.push(delivery)
    this.#place(delivery, keys)
  }

  async #keyOf(delivery: DueDelivery, way: Way, source: Source): Promise<SiteKey> {
    const { tls, usual } = await this.#deps.tlsClass(delivery, way)
    const key = { ...way, source, tls }
    if (way.relay === null) {
      this.#strictDomains.note(
        delivery.domain,
        usual === 'opportunistic' ? null : nameOf({ ...key, tls: usual }),
      )
    }
    return key
  }

  /** By the first way whose site takes it now; where none does, the first has it wait. */
  #place(delivery: DueDelivery, keys: readonly SiteKey[]): void {
    const at = Math.max(
      0,
      keys.findIndex((key) => this.#siteOf(key).accepts),
    )
    const key = keys[at] as SiteKey
    this.#waysLeft.set(delivery, keys.slice(at + 1))
    this.#siteOf(key).add(delivery)
  }

  /** No host of its site could be talked to: by the next way, or that was the try. */
  #goOn(delivery: DueDelivery, failed: DeliveryResult): void {
    const left = this.#waysLeft.get(delivery) ?? []
    if (left.length > 0 && !this.#isDraining) this.#place(delivery, left)
    else this.#finish(delivery, { kind: 'tried', result: failed })
  }

  /**
   * Mail for which TLS must be more has connections of its own: one that was opened for others may be in the clear, and
   * a host that fails only the stricter rule is not down for the others. So has each source.
   */
  #siteOf(key: SiteKey): Site {
    const name = nameOf(key)
    const known = this.#sites.get(name)
    if (known !== undefined) return known
    const { clock, retryScheduleMs, random } = this.#deps
    const fresh = new Site({
      name,
      clock,
      retryScheduleMs,
      random,
      open: (delivery) => this.#deps.open(key, delivery),
      giveUp: (delivery, error) => this.#giveUp(delivery, error),
      withdraw: (delivery) => this.#withdraw(delivery),
      drop: (delivery) => this.#letGo(delivery),
      report: (result) => this.#finish(result.delivery, { kind: 'tried', result }),
      failOver: (delivery, failed) => this.#goOn(delivery, failed),
      postpone: (delivery, until, verdict, response) =>
        this.#finish(delivery, postponed(delivery, until, verdict, response)),
      waitingMax: () => this.#held.waitingMax,
      wake: () => this.#deps.wake(),
    })
    this.#sites.set(name, fresh)
    return fresh
  }

  async #withdraw(delivery: DueDelivery): Promise<boolean> {
    if (!(await this.#deps.isSuppressed(delivery))) return false
    this.#finish(delivery, { kind: 'suppressed', delivery })
    return true
  }

  #finish(delivery: DueDelivery, report: Report): void {
    this.#deps.settle(report).then(
      () => this.#letGo(delivery),
      (error: unknown) => {
        this.#deps.log.error({ err: error, email_id: delivery.emailId }, 'a delivery could not be settled')
        this.#letGo(delivery)
      },
    )
  }

  /** A fault of ours, not the recipient's: not a try. It waits in the database and comes back. */
  #giveUp(delivery: DueDelivery, error: unknown): void {
    const { clock, log, retryScheduleMs, random } = this.#deps
    log.error({ err: error, email_id: delivery.emailId }, 'a delivery could not be tried')
    const until = new Date(clock.now().getTime() + retryDelayMs(retryScheduleMs, 1, random))
    this.#finish(delivery, { kind: 'postponed', delivery, until, category: 'internal', response: INTERNAL })
  }

  #letGo(delivery: DueDelivery): void {
    const roomBefore = this.room()
    if (!this.#held.remove(delivery)) return
    const isRoomAgain = roomBefore < ROOM_WORTH_CLAIMING && this.room() >= ROOM_WORTH_CLAIMING
    if (isRoomAgain || this.#held.count === 0) this.#deps.wake()
  }
}

/** What the recipient's row says meanwhile; the log knows more. */
const INTERNAL = 'A fault of this server interrupted the delivery. It will be tried again.'

function postponed(delivery: DueDelivery, until: Date, verdict: Verdict, response: string | null): Report {
  return {
    kind: 'postponed',
    delivery,
    until,
    category: verdict.category,
    response: response ?? verdict.advice,
  }
}
