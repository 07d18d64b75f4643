import { explainCategory } from '../../classification/advise.ts'
import { simulatedOutcome } from '../../classification/simulator.ts'
import { DatabaseUnavailable } from '../../db/db-types.ts'
import type { LoopSlicer } from '../../lib/async/loop-slicer.ts'
import { markStep } from '../../lib/email-steps.ts'
import type { Log } from '../../lib/log.ts'
import { retryDelayMs } from '../../lib/time/backoff.ts'
import type { Backpressure } from '../../queue/backpressure.ts'
import { ALL_DOMAINS } from '../../queue/closed-domains.ts'
import type { DeliveryKey, DeliveryResult, DueDelivery } from '../../queue/types.ts'
import type { Destination } from '../../queue/worker.ts'
import { RouteResolver, type RouteResolverDeps } from '../routing/route-resolver.ts'
import { type Outcomes, type Report, SHAPED, type Withdrawal } from '../sites/outcomes.ts'
import type { SiteSet } from '../sites/site-set.ts'
import type { AcceptanceTurns } from './acceptance-turns.ts'
import { HeldDeliveries } from './held-deliveries.ts'
import type { SigningDomain } from './sign-message.ts'
import { simulate } from './simulate.ts'
import { SiteDispatcher, type SiteDispatcherDeps } from './site-dispatcher.ts'

export interface DeliverDeps
  extends Omit<SiteDispatcherDeps, 'isFirst' | 'outcomes' | 'waitingMax'>,
    Omit<RouteResolverDeps, 'waitingMax'> {
  log: Log
  backpressure: Backpressure
  slicer: LoopSlicer
  turns: AcceptanceTurns
  retryScheduleMs: readonly number[]
  /** Returns the signing keys and the TLS demand of the delivery's domain. */
  sender(delivery: DueDelivery): Promise<Pick<SigningDomain, 'keys' | 'tls'>>
  /** Begins to sign a delivery that is about to start. */
  signAhead(delivery: DueDelivery): void
  /**
   * Loads the content of claimed deliveries, unless it is large, and returns those that must not be attempted.
   */
  prepare(deliveries: readonly DueDelivery[]): Promise<{ withdrawn: Map<DueDelivery, Withdrawal> }>
  /** Resolves when the report is committed. */
  settle(report: Report): Promise<void>
}

const SITES_SWEEP_MS = 60_000
/** A process that holds more deliveries than this has no idle time in which a signature could be made earlier. */
const HELD_OF_IDLE_MAX = 10

/**
 * Distributes leased deliveries to sites, and follows each one until it is settled. A delivery is *held* from when it
 * is added (or reserved, at acceptance) until its report is committed. The count and the bytes of held deliveries are
 * bounded.
 */
export class Deliverer implements Destination {
  readonly #deps: DeliverDeps
  readonly #routeResolver: RouteResolver
  readonly #dispatcher: SiteDispatcher
  readonly #outcomes: Outcomes = {
    settled: (report) => this.#settle(report.result.delivery, report),
    postponed: (report) => this.#settle(report.delivery, report),
    withdrawn: (delivery, kind) => this.#settle(delivery, { kind, delivery }),
    dropped: (delivery) => this.#letGo(delivery),
    interrupted: (delivery, error) => this.#interrupt(delivery, error),
  }
  readonly #held = new HeldDeliveries()
  /** Deliveries of teams with priority (queue/backpressure.ts), which go first. */
  readonly #first = new WeakSet<DueDelivery>()
  readonly #handedOff = new Set<DueDelivery>()
  readonly #unbegun: DueDelivery[] = []
  #lost: DeliveryKey[] = []
  readonly #sweep: NodeJS.Timeout
  #isDraining = false

  constructor(deps: DeliverDeps) {
    this.#deps = deps
    const waitingMax = (isBulk: boolean) => this.#held.waitingMax(isBulk)
    this.#routeResolver = new RouteResolver({ ...deps, waitingMax: () => waitingMax(false) })
    const isFirst = (delivery: DueDelivery) => this.#first.has(delivery)
    this.#dispatcher = new SiteDispatcher({ ...deps, outcomes: this.#outcomes, waitingMax, isFirst })
    this.#sweep = setInterval(() => this.sites.forgetIdle(), SITES_SWEEP_MS).unref()
  }

  /** The sites of this process, for the site board and for operators. */
  get sites(): SiteSet {
    return this.#dispatcher.sites
  }

  /** Applies changed shaping rules. */
  reshape(): void {
    this.#dispatcher.reshape()
  }

  /** The number of held deliveries, for /readyz, /metrics and the heartbeat. */
  get heldCount(): number {
    return this.#held.count
  }

  /** The number of held bulk deliveries. */
  get heldBulkCount(): number {
    return this.#held.bulkCount
  }

  /** The number of held deliveries that acceptance handed off. */
  get handedOffCount(): number {
    return this.#handedOff.size
  }

  /** Returns whether this team has so little transactional mail here that backlogs should yield to it. */
  hasFew(teamId: string): boolean {
    return this.#held.hasFew(teamId)
  }

  room(isBulk = false): number {
    if (this.#isClosed(isBulk)) return 0
    return isBulk ? this.#held.bulkRoom : this.#held.room
  }

  #isClosed(isBulk: boolean): boolean {
    const { fixedSites } = this.#deps.routing
    const isShut = fixedSites.length > 0 && fixedSites.every((site) => this.sites.isRefusing(site, isBulk))
    return this.#isDraining || isShut
  }

  async yieldTurn(): Promise<void> {
    await this.#deps.backpressure.yieldTurn()
  }

  domainsToSkip(isBulk = false): string[] {
    return this.#routeResolver.domainsToSkip((site) => this.sites.isRefusing(site, isBulk))
  }

  /**
   * Returns the recipient domains to which this process cannot send now, for a reason other than lack of room. Those that
   * take no bulk mail are among them, because mail that waits for a rate is no fault.
   */
  closedDomains(): string[] {
    const isClosed = (site: string) => this.sites.isClosedTo(site, true)
    const { fixedSites } = this.#deps.routing
    if (fixedSites.length > 0) return fixedSites.every(isClosed) ? [ALL_DOMAINS] : []
    return this.#routeResolver.domainsToSkip(isClosed)
  }

  held(): DueDelivery[] {
    return this.#held.all()
  }

  async add(claimed: DueDelivery[]): Promise<void> {
    const deliveries = this.#held.pickNew(claimed)
    // Registered before the first await, because their leases must be extended from now on.
    for (const delivery of deliveries) this.#held.register(delivery)
    try {
      await this.yieldTurn()
      for (const { domain } of deliveries) this.#deps.routing.prefetch(domain)
      const { withdrawn } = await this.#deps.prepare(deliveries)
      for (const delivery of deliveries) this.#held.add(delivery)
      for (const [delivery, kind] of withdrawn) this.#outcomes.withdrawn(delivery, kind)
      await this.yieldTurn()
      this.#dispatchAll(deliveries.filter((delivery) => !withdrawn.has(delivery)))
    } catch (error) {
      for (const delivery of deliveries) this.#held.forget(delivery)
      throw error
    }
  }

  waitForTurn(teamId: string, recipientCount: number, bytes: number): Promise<void> | null {
    // A team with little mail does not wait, unless such teams fill the memory.
    if (this.hasFew(teamId) && this.#held.room > 0) return null
    return this.#deps.turns.wait(teamId, recipientCount, bytes, this.#held.count)
  }

  reserve(teamId: string, domain: string, bytes: number, isBulk = false): boolean {
    if (this.#isClosed(isBulk)) return false
    // A site that is merely full of other mail still accepts mail of a team with little mail.
    const isRefusing =
      !isBulk && this.hasFew(teamId)
        ? (site: string) => this.sites.isClosedTo(site, false)
        : (site: string) => this.sites.isRefusing(site, isBulk)
    if (this.#routeResolver.isRefused(domain, isRefusing)) return false
    if (!this.#held.reserve(teamId, bytes, isBulk)) return false
    // Resolves DNS while the acceptance commits.
    this.#deps.routing.prefetch(domain)
    return true
  }

  cancelReservation(teamId: string, bytes: number, isBulk = false): void {
    this.#held.unreserve(teamId, bytes, isBulk)
  }

  lose({ teamId, emailId, no }: DeliveryKey): void {
    this.#lost.push({ teamId, emailId, no })
  }

  takeLost(): DeliveryKey[] {
    return this.#lost.splice(0)
  }

  prepare(delivery: DueDelivery): void {
    if (this.#held.count > HELD_OF_IDLE_MAX || simulatedOutcome(delivery.addressKey) !== null) return
    this.#deps.signAhead(delivery)
  }

  start(deliveries: DueDelivery[]): void {
    for (const delivery of deliveries) {
      this.#held.unreserve(delivery.teamId, delivery.message?.bytes.length ?? 0, delivery.isBulk)
      this.#held.add(delivery)
      this.#handedOff.add(delivery)
      if (delivery.isBulk) continue
      // The commit may have taken longer than the priority lasted.
      this.#deps.backpressure.expect(delivery.teamId)
      if (this.#deps.backpressure.isExpected(delivery.teamId)) this.#first.add(delivery)
    }
    this.#dispatchAll(deliveries)
  }

  async drain(): Promise<void> {
    this.#isDraining = true
    clearInterval(this.#sweep)
    for (const delivery of await this.#dispatcher.drain()) this.#giveBack(delivery)
    await this.#held.waitForAll()
  }

  takeUnbegun(): DeliveryKey[] {
    for (const delivery of this.sites.takeWaiting()) this.#giveBack(delivery)
    return this.#unbegun.splice(0)
  }

  #giveBack(delivery: DueDelivery): void {
    this.#unbegun.push(delivery)
    this.#letGo(delivery)
  }

  #dispatchAll(deliveries: readonly DueDelivery[]): void {
    for (const delivery of deliveries) {
      this.#dispatch(delivery).catch((error: unknown) => this.#outcomes.interrupted(delivery, error))
    }
  }

  /** Hands one delivery to its site, or finishes it if its domain or the simulator determines the result. */
  async #dispatch(delivery: DueDelivery): Promise<void> {
    const { clock } = this.#deps
    const simulated = simulatedOutcome(delivery.addressKey)
    if (simulated !== null) {
      return this.#settle(delivery, { kind: 'attempted', result: simulate(delivery, simulated, clock.now()) })
    }
    const sender = await this.#deps.sender(delivery)
    if (sender.keys.length === 0) {
      return this.#settle(delivery, { kind: 'attempted', result: failUnsigned(delivery, clock.now()) })
    }
    const route = await this.#routeResolver.find(delivery)
    if ('result' in route) return this.#settle(delivery, { kind: 'attempted', result: route.result })
    if ('until' in route) {
      const { until, reason: response } = route
      return this.#settle(delivery, { kind: 'postponed', delivery, until, category: SHAPED, response })
    }
    if (this.#isDraining) return this.#giveBack(delivery)
    markStep(delivery.emailId, 'placed')
    this.#dispatcher.place(delivery, route)
  }

  #settle(delivery: DueDelivery, report: Report): void {
    this.#deps.settle(report).then(
      () => this.#letGo(delivery),
      (error: unknown) => {
        this.#deps.log.error({ err: error, email_id: delivery.emailId }, 'could not settle a delivery')
        this.#letGo(delivery)
      },
    )
  }

  /**
   * Postpones a delivery after an internal fault, which does not count as an attempt. The delivery stays in the
   * database, and a process claims it again.
   */
  #interrupt(delivery: DueDelivery, error: unknown): void {
    const { clock, log, retryScheduleMs, random } = this.#deps
    log.error({ err: error, email_id: delivery.emailId }, 'could not attempt a delivery')
    const nowMs = clock.now().getTime()
    const scheduledMs = retryDelayMs(retryScheduleMs, 1, random)
    // Settling waits for the end of an outage of the database, so the delivery need not wait much longer. Older mail waits
    // longer, so that a statement that fails each time is not repeated every second.
    const outageMs = Math.max(OUTAGE_WAIT_MS, (nowMs - delivery.createdAt.getTime()) / 10) * (0.5 + random())
    const waitMs = error instanceof DatabaseUnavailable ? Math.min(outageMs, scheduledMs) : scheduledMs
    const until = new Date(nowMs + waitMs)
    this.#settle(delivery, { kind: 'postponed', delivery, until, category: 'internal', response: INTERNAL })
  }

  #letGo(delivery: DueDelivery): void {
    const wasHandedOff = this.#handedOff.delete(delivery)
    const before = this.#held.isWorthClaiming
    if (!this.#held.remove(delivery)) return
    this.#deps.turns.left(wasHandedOff, this.#held.count)
    const after = this.#held.isWorthClaiming
    const isRoomAgain = (after.any && !before.any) || (after.bulk && !before.bulk)
    if (isRoomAgain || this.#held.count === 0) this.#deps.wake()
  }
}

const OUTAGE_WAIT_MS = 1000

/** The recipient shows this until the next attempt. The log has the details. */
const INTERNAL = 'An internal error in Sendwright interrupted the delivery. Sendwright will retry.'

/**
 * Returns a failed result for a delivery whose domain has no signing keys. Sendwright never sends unsigned email, so the
 * fault is ours (docs/adr/0010).
 */
function failUnsigned(delivery: DueDelivery, now: Date): DeliveryResult {
  return {
    delivery,
    verdict: {
      state: 'failed',
      category: 'no_signing_key',
      fault: 'ours',
      suppress: false,
      retryAfterMs: null,
    },
    startedAt: now,
    durationMs: 0,
    smtpCode: null,
    enhancedCode: null,
    response: explainCategory('no_signing_key'),
    mxHost: null,
    mxAddress: null,
    tls: null,
    transcript: [{ at: 0, who: '*', text: 'The domain has no signing keys.' }],
  }
}
