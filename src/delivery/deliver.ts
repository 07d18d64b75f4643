import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Report } from '../operations/settle-deliveries.ts'
import { simulatedOutcome } from '../operations/simulator.ts'
import type { Destination } from '../queue/worker.ts'
import type { DeliveryKey, DueDelivery, Verdict } from '../queue/types.ts'
import type { Routing } from './routing.ts'
import { simulate } from './simulate.ts'
import { type Opened, Site } from './site.ts'

export interface DeliverDeps {
  clock: Clock
  log: Log
  retryScheduleMs: readonly number[]
  random: () => number
  routing: Routing
  open(site: string, delivery: DueDelivery): Promise<Opened>
  /** Loads the content of those that have none yet; which addresses were suppressed since acceptance. */
  prepare(deliveries: readonly DueDelivery[]): Promise<{ suppressed: Set<DueDelivery> }>
  /** Resolves when it is written. */
  settle(report: Report): Promise<void>
  /** There is room for more. */
  wake(): void
}

/** Recipients that this process holds at most, and the bytes of their messages. */
const HELD_COUNT_MAX = 2000
const HELD_BYTES_MAX = 64 * 1024 * 1024
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
  const held = new Set<DueDelivery>()
  const heldByTeam = new Map<string, number>()
  let heldBytes = 0
  let reservedCount = 0
  let draining = false

  const sweep = setInterval(() => {
    for (const [name, site] of sites) if (site.isForgettable) sites.delete(name)
  }, SITES_SWEEP_MS).unref()

  function siteOf(name: string): Site {
    const known = sites.get(name)
    if (known !== undefined) return known
    const site = new Site({
      name,
      clock: deps.clock,
      retryScheduleMs: deps.retryScheduleMs,
      random: deps.random,
      open: (delivery) => deps.open(name, delivery),
      report: (result) => finish(result.delivery, { kind: 'tried', result }),
      postpone: (delivery, until, verdict, response) =>
        finish(delivery, postponed(delivery, until, verdict, response)),
    })
    sites.set(name, site)
    return site
  }

  function count(teamId: string, by: number): void {
    const total = (heldByTeam.get(teamId) ?? 0) + by
    if (total <= 0) heldByTeam.delete(teamId)
    else heldByTeam.set(teamId, total)
  }

  function hold(delivery: DueDelivery): void {
    held.add(delivery)
    count(delivery.teamId, 1)
    heldBytes += delivery.message?.bytes.length ?? 0
  }

  function letGo(delivery: DueDelivery): void {
    if (!held.delete(delivery)) return
    count(delivery.teamId, -1)
    heldBytes -= delivery.message?.bytes.length ?? 0
    if (room() === HELD_COUNT_MAX / 4 || held.size === 0) deps.wake()
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
    const route = await deps.routing.route(delivery)
    if ('result' in route) return finish(delivery, { kind: 'tried', result: route.result })
    if (draining) return void unbegun.push(delivery)
    siteOf(route.site).add(delivery)
  }
  const unbegun: DueDelivery[] = []
  const dispatching = new Set<Promise<void>>()

  function dispatchAll(deliveries: readonly DueDelivery[]): void {
    for (const delivery of deliveries) {
      const work: Promise<void> = dispatch(delivery)
        .catch((error: unknown) => {
          // A bug: the lease runs out and the delivery is tried again.
          deps.log.error({ err: error, email_id: delivery.emailId }, 'a delivery could not be dispatched')
          letGo(delivery)
        })
        .finally(() => dispatching.delete(work))
      dispatching.add(work)
    }
  }

  return {
    room,
    domainsToSkip: () => deps.routing.domainsOf((site) => sites.get(site)?.accepts === false),
    held: (): DeliveryKey[] => [...held],
    get heldCount() {
      return held.size
    },

    async add(deliveries) {
      // Held before anything is awaited: their leases must be extended from now on.
      for (const delivery of deliveries) held.add(delivery)
      try {
        const { suppressed } = await deps.prepare(deliveries)
        for (const delivery of deliveries) hold(delivery)
        for (const delivery of suppressed) finish(delivery, { kind: 'suppressed', delivery })
        dispatchAll(deliveries.filter((delivery) => !suppressed.has(delivery)))
      } catch (error) {
        for (const delivery of deliveries) held.delete(delivery)
        throw error
      }
    },

    reserve(teamId, domain, bytes) {
      if (room() === 0 || heldBytes + bytes > HELD_BYTES_MAX) return false
      if ((heldByTeam.get(teamId) ?? 0) >= TEAM_COUNT_MAX) return false
      if (deps.routing.isKnownTo(domain, (site) => sites.get(site)?.accepts === false)) return false
      reservedCount++
      return true
    },
    forgo() {
      reservedCount--
    },
    start(deliveries) {
      reservedCount -= deliveries.length
      for (const delivery of deliveries) hold(delivery)
      dispatchAll(deliveries)
    },

    async drain() {
      draining = true
      clearInterval(sweep)
      await Promise.all(dispatching)
      const left = await Promise.all([...sites.values()].map((site) => site.drain()))
      for (const delivery of left.flat()) unbegun.push(delivery)
      const abandoned = new Set(unbegun)
      while ([...held].some((delivery) => !abandoned.has(delivery))) {
        await new Promise((resolve) => setTimeout(resolve, DRAIN_LOOK_MS))
      }
      return unbegun
    },
  }
}

const DRAIN_LOOK_MS = 10

function postponed(delivery: DueDelivery, until: Date, verdict: Verdict, response: string | null): Report {
  return {
    kind: 'postponed',
    delivery,
    until,
    category: verdict.category,
    response: response ?? verdict.advice,
  }
}
