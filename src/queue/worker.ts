import { DatabaseUnavailable, type Db } from '../db/db-types.ts'
import { type Repeating, repeat } from '../lib/async/repeat.ts'
import type { Signal } from '../lib/async/signal.ts'
import type { Log } from '../lib/log.ts'
import type { Clock } from '../lib/time/clock.ts'
import { type ClaimRound, claimDue, newRound, prepareClaims } from './claim.ts'
import { extendLeases, releaseLeases } from './lease-queries.ts'
import { LostClaims } from './lost-claims.ts'
import type { DeliveryKey, DueDelivery } from './types.ts'

/** Receives claimed deliveries; the delivery room implements it. */
export interface Destination {
  /** Returns how many more deliveries it can hold now, or bulk deliveries among them. */
  room(isBulk?: boolean): number
  /** Returns recipient domains for which no mail, or no bulk mail, should be claimed for now. */
  domainsToSkip(isBulk?: boolean): string[]
  /** Resolves when claims need not yield to other work any more (queue/backpressure.ts). The wait is short. */
  yieldTurn(): Promise<void>
  add(deliveries: DueDelivery[]): Promise<void>
  /** Returns everything leased to this process that is not settled yet. */
  held(): DueDelivery[]
  /** Returns, once, what acceptance may have leased to this process without handing it off, because its commit had no response. */
  takeLost(): DeliveryKey[]
  /** Starts no more deliveries, and waits until those on the wire are settled. */
  drain(): Promise<void>
  /** Returns, once, what will never start since `drain` was called. It is not held any more. */
  takeUnbegun(): DeliveryKey[]
}

export interface WorkerDeps {
  db: Db
  /** Claims have their own connections (CLAIM_POOL). */
  claims: Db
  clock: Clock
  log: Log
  nodeId: string
  destination: Destination
  /** Notified when there may be something to claim, or room for it. */
  signal: Signal
}

const BATCH_COUNT_MAX = 200
/** A smaller claim is not worth its statement while many deliveries are in progress. */
const ROOM_MIN = 200
const BULK_ROOM_MIN = ROOM_MIN / 2
/**
 * Smaller claims are still made, at this interval. If slow destinations hold almost all room, mail to all others uses
 * the rest.
 */
const SMALL_CLAIM_MS = 250
/** The safety net for missed signals. */
const POLL_MS = 2000
/** The wait after a claim that found everything locked by another process's claim. */
const CONTENDED_MS = 20
const OUTAGE_MS = 500
const EXTEND_MS = 20_000
/** After an outage of the database, little may be left of the leases. */
const EXTEND_AGAIN_MS = 1000
const RELEASE_MS = 1000

export interface Worker {
  /** Releases deliveries that did not start, and finishes the rest. */
  stop(): Promise<void>
}

/**
 * Claims and hands over deliveries until stopped. States: *claiming* while there is room and work; *waiting* for a
 * signal (new mail, room again) or the poll; *stopping*. Claimed deliveries stay leased to this process, extended every
 * 20 s, until they are settled or released; when the process dies the leases expire and other processes claim the work.
 * What a claim or an acceptance leased that an outage of the database interrupted is released after the outage.
 */
export function startWorker(deps: WorkerDeps): Worker {
  const { destination, signal } = deps
  const round = newRound(() => signal.notify())
  let stopping = false
  let nextSmallMs = 0
  const countBulkMax = limitBulk(destination)
  const lost = new LostClaims({ ...deps, held: () => destination.held() })

  const loop = (async () => {
    await prepareClaims(deps.claims).catch(() => {})
    while (!stopping) {
      try {
        lost.noteAccepted(destination.takeLost())
        await lost.release()
        const isSmall = destination.room() < ROOM_MIN
        const waitMs = isSmall ? nextSmallMs - performance.now() : 0
        if (waitMs > 0) {
          await signal.wait(waitMs)
          continue
        }
        await destination.yieldTurn()
        nextSmallMs = performance.now() + SMALL_CLAIM_MS
        const bulkCountMax = countBulkMax()
        const claimed = await claimOnce(deps, round, bulkCountMax, lost)
        const idleMs = bulkCountMax > 0 ? POLL_MS : SMALL_CLAIM_MS
        if (claimed === 0 && !isSmall) await signal.wait(round.contended ? CONTENDED_MS : idleMs)
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable))
          deps.log.error({ err: error }, 'could not claim deliveries')
        await signal.wait(OUTAGE_MS)
      }
    }
  })()

  const extensions = startExtensions(deps)

  return {
    async stop() {
      stopping = true
      signal.notify()
      await loop
      await round.slice
      await drain(deps)
      void extensions.stop()
    },
  }
}

/** Extends the leases at their interval. If that fails, tries again after a second until it succeeds. */
function startExtensions({ db, clock, log, nodeId, destination }: WorkerDeps): Repeating {
  let nextMs = performance.now() + EXTEND_MS
  const extend = async () => {
    const nowMs = performance.now()
    if (nowMs < nextMs) return
    const held = destination.held()
    if (held.length > 0) await extendLeases(db, held, nodeId, clock.now())
    nextMs = nowMs + EXTEND_MS
  }
  return repeat('extension of leases', EXTEND_AGAIN_MS, extend, log)
}

/** Releases what never starts while the sessions on the wire end: one may hang until the process exits. */
async function drain({ db, clock, log, nodeId, destination }: WorkerDeps): Promise<void> {
  const unbegun: DeliveryKey[] = []
  const release = async () => {
    unbegun.push(...destination.takeUnbegun())
    if (unbegun.length > 0) await releaseLeases(db, unbegun, nodeId, clock.now())
    unbegun.length = 0
  }
  const drained = destination.drain()
  const releases = repeat('release of deliveries that never start', RELEASE_MS, release, log)
  await drained
  await releases.stop()
  await release().catch((error: unknown) => {
    log.warn({ err: error, count: unbegun.length }, 'could not release leases; they expire by themselves')
  })
}

/**
 * Returns a function that returns how many bulk deliveries the next claim may take. While there is room for only a few,
 * it returns zero, except once in each interval.
 */
function limitBulk(destination: Destination): () => number {
  let nextSmallMs = 0
  return () => {
    const room = destination.room(true)
    if (room < BULK_ROOM_MIN && performance.now() < nextSmallMs) return 0
    nextSmallMs = performance.now() + SMALL_CLAIM_MS
    return Math.ceil(room / 2)
  }
}

async function claimOnce(
  deps: WorkerDeps,
  round: ClaimRound,
  bulkCountMax: number,
  lost: LostClaims,
): Promise<number> {
  const { destination } = deps
  const room = destination.room()
  if (room === 0) return 0
  const now = deps.clock.now()
  try {
    const claimed = await claimDue(deps.claims, {
      nodeId: deps.nodeId,
      now,
      // At most half the room: one claim for a site that turns out to be slow must not take all of it.
      countMax: Math.min(Math.ceil(room / 2), BATCH_COUNT_MAX),
      domainsToSkip: destination.domainsToSkip(),
      bulk: { countMax: bulkCountMax, domainsToSkip: destination.domainsToSkip(true) },
      round,
    })
    if (claimed.length > 0) await destination.add(claimed)
    return claimed.length
  } catch (error) {
    if (error instanceof DatabaseUnavailable) lost.note(now)
    throw error
  }
}
