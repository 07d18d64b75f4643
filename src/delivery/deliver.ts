import { retryDelayMs } from '../base/backoff.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Report } from '../operations/settle-deliveries.ts'
import type { Sender } from '../operations/sign-message.ts'
import { simulatedOutcome } from '../operations/simulator.ts'
import type { DeliveryKey, DueDelivery, Verdict } from '../queue/types.ts'
import type { Destination } from '../queue/worker.ts'
import type { Routing } from './routing.ts'
import { simulate } from './simulate.ts'
import { type Opened, Site } from './site.ts'
import { failUnsigned } from './unsendable.ts'

export interface DeliverDeps {
  clock: Clock
  log: Log
  retryScheduleMs: readonly number[]
  random: () => number
  routing: Routing
  open(site: string, delivery: DueDelivery): Promise<Opened>
  /** What its domain asks for. */
  sender(delivery: DueDelivery): Promise<Pick<Sender, 'keys' | 'tls'>>
  /** Loads the content of those that have none yet, unless it is large; which addresses were suppressed since acceptance. */
  prepare(deliveries: readonly DueDelivery[]): Promise<{ suppressed: Set<DueDelivery> }>
  /** Resolves when it is written. */
  settle(report: Report): Promise<void>
  /** There is room for more. */
  wake(): void
}

/** Recipients that this process holds at most, and the bytes of their messages. */
const HELD_COUNT_MAX = 2000
const HELD_BYTES_MAX = 64 * 1024 * 1024
/** With this much room again the worker is told. */
const ROOM_WORTH_CLAIMING = HELD_COUNT_MAX / 4
/** Accepted mail of one team may fill half of it; the rest of its mail waits for the fair claim. */
const TEAM_COUNT_MAX = HELD_COUNT_MAX / 2
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
  const sites = new Map<string, Site>()
  /** By key: what comes back through a claim while it is still here is not sent twice. */
  const held = new Map<string, DueDelivery>()
  let whenLetGo: (() => void)[] = []
  const heldByTeam = new Map<string, number>()
  let heldBytes = 0
  let reservedCount = 0
  let draining = false

  const sweep = setInterval(() => {
    for (const [name, site] of sites) if (site.isForgettable) sites.delete(name)
  }, SITES_SWEEP_MS).unref()

  /**
   * Mail that must not travel without verified TLS has connections of its own: one that another sender opened may be
   * in the clear, and a host that fails only the stricter rule is not down for the others.
   */
  function siteOf(site: string, tls: Sender['tls']): Site {
    const name = tls === 'enforced' ? `${site} (TLS enforced)` : site
    const known = sites.get(name)
    if (known !== undefined) return known
    const fresh = new Site({
      name,
      clock: deps.clock,
      retryScheduleMs: deps.retryScheduleMs,
      random: deps.random,
      open: (delivery) => deps.open(site, delivery),
      giveUp,
      drop: letGo,
      report: (result) => finish(result.delivery, { kind: 'tried', result }),
      postpone: (delivery, until, verdict, response) =>
        finish(delivery, postponed(delivery, until, verdict, response)),
    })
    sites.set(name, fresh)
    return fresh
  }

  function count(teamId: string, by: number): void {
    const total = (heldByTeam.get(teamId) ?? 0) + by
    if (total <= 0) heldByTeam.delete(teamId)
    else heldByTeam.set(teamId, total)
  }

  function hold(delivery: DueDelivery): void {
    held.set(keyOf(delivery), delivery)
    count(delivery.teamId, 1)
    heldBytes += delivery.message?.bytes.length ?? 0
  }

  function forgo(teamId: string, _domain: string, bytes: number): void {
    reservedCount--
    count(teamId, -1)
    heldBytes -= bytes
  }

  function letGo(delivery: DueDelivery): void {
    if (held.get(keyOf(delivery)) !== delivery) return
    const roomBefore = room()
    held.delete(keyOf(delivery))
    count(delivery.teamId, -1)
    heldBytes -= delivery.message?.bytes.length ?? 0
    if ((roomBefore < ROOM_WORTH_CLAIMING && room() >= ROOM_WORTH_CLAIMING) || held.size === 0) deps.wake()
    const waiting = whenLetGo
    whenLetGo = []
    for (const resolve of waiting) resolve()
  }

  function finish(delivery: DueDelivery, report: Report): void {
    deps.settle(report).then(
      () => letGo(delivery),
      (error: unknown) => {
        deps.log.error({ err: error, email_id: delivery.emailId }, 'a delivery could not be settled')
        letGo(delivery)
      },
    )
  }

  /** A fault of ours, not the recipient's: not a try. It waits in the database and comes back. */
  function giveUp(delivery: DueDelivery, error: unknown): void {
    deps.log.error({ err: error, email_id: delivery.emailId }, 'a delivery could not be tried')
    const delayMs = retryDelayMs(deps.retryScheduleMs, 1, deps.random)
    const until = new Date(deps.clock.now().getTime() + delayMs)
    finish(delivery, { kind: 'postponed', delivery, until, category: 'internal', response: INTERNAL })
  }

  function room(): number {
    if (draining || heldBytes >= HELD_BYTES_MAX) return 0
    const fixed = deps.routing.fixedSite
    if (fixed !== null && sites.get(fixed)?.accepts === false) return 0
    return Math.max(0, HELD_COUNT_MAX - held.size - reservedCount)
  }

  /** Hands one delivery to its site, or finishes it where its domain or its simulator says so. */
  async function dispatch(delivery: DueDelivery): Promise<void> {
    const simulated = simulatedOutcome(delivery.addressKey)
    if (simulated !== null) {
      return finish(delivery, { kind: 'tried', result: simulate(delivery, simulated, deps.clock.now()) })
    }
    const sender = await deps.sender(delivery)
    if (sender.keys.length === 0) {
      return finish(delivery, { kind: 'tried', result: failUnsigned(delivery, deps.clock.now()) })
    }
    const route = await deps.routing.route(delivery)
    if ('result' in route) return finish(delivery, { kind: 'tried', result: route.result })
    if (draining) return void unbegun.push(delivery)
    siteOf(route.site, sender.tls).add(delivery)
  }

  /** A lease that ran out while the database was away and came back by a claim is simply extended. */
  function isHeldAlready(claimed: DueDelivery): boolean {
    const known = held.get(keyOf(claimed))
    if (known !== undefined) known.leasedUntilMs = claimed.leasedUntilMs
    return known !== undefined
  }

  const unbegun: DueDelivery[] = []
  const dispatching = new Set<Promise<void>>()

  function dispatchAll(deliveries: readonly DueDelivery[]): void {
    for (const delivery of deliveries) {
      const work: Promise<void> = dispatch(delivery)
        .catch((error: unknown) => giveUp(delivery, error))
        .finally(() => dispatching.delete(work))
      dispatching.add(work)
    }
  }

  return {
    room,
    domainsToSkip: () => deps.routing.domainsOf((site) => sites.get(site)?.accepts === false),
    held: () => [...held.values()],
    get heldCount() {
      return held.size
    },

    async add(claimed) {
      const deliveries = claimed.filter((delivery) => !isHeldAlready(delivery))
      // Held before anything is awaited: their leases must be extended from now on.
      for (const delivery of deliveries) held.set(keyOf(delivery), delivery)
      try {
        const { suppressed } = await deps.prepare(deliveries)
        for (const delivery of deliveries) hold(delivery)
        for (const delivery of suppressed) finish(delivery, { kind: 'suppressed', delivery })
        dispatchAll(deliveries.filter((delivery) => !suppressed.has(delivery)))
      } catch (error) {
        for (const delivery of deliveries) held.delete(keyOf(delivery))
        throw error
      }
    },

    reserve(teamId, domain, bytes) {
      if (room() === 0 || heldBytes + bytes > HELD_BYTES_MAX) return false
      if ((heldByTeam.get(teamId) ?? 0) >= TEAM_COUNT_MAX) return false
      if (deps.routing.isKnownTo(domain, (site) => sites.get(site)?.accepts === false)) return false
      reservedCount++
      count(teamId, 1)
      heldBytes += bytes
      return true
    },
    forgo,
    start(deliveries) {
      for (const delivery of deliveries) {
        forgo(delivery.teamId, delivery.domain, delivery.message?.bytes.length ?? 0)
        hold(delivery)
      }
      dispatchAll(deliveries)
    },

    async drain() {
      draining = true
      clearInterval(sweep)
      await Promise.all(dispatching)
      const left = await Promise.all([...sites.values()].map((site) => site.drain()))
      for (const delivery of left.flat()) unbegun.push(delivery)
      const abandoned = new Set(unbegun)
      while ([...held.values()].some((delivery) => !abandoned.has(delivery))) {
        await new Promise<void>((resolve) => whenLetGo.push(resolve))
      }
      return unbegun
    },
  }
}

/** What the recipient's row says meanwhile; the log knows more. */
const INTERNAL = 'A fault of this server interrupted the delivery. It will be tried again.'

const keyOf = (key: DeliveryKey) => `${key.emailId}/${key.no}`

function postponed(delivery: DueDelivery, until: Date, verdict: Verdict, response: string | null): Report {
  return {
    kind: 'postponed',
    delivery,
    until,
    category: verdict.category,
    response: response ?? verdict.advice,
  }
}
