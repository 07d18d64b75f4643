import { onTestFinished } from 'vitest'
import type { Opened } from '../../src/delivery/client/mail-connection.ts'
import { AcceptanceTurns } from '../../src/delivery/dispatch/acceptance-turns.ts'
import { type DeliverDeps, Deliverer } from '../../src/delivery/dispatch/deliver.ts'
import type { Routing } from '../../src/delivery/routing/routing.ts'
import type { Report } from '../../src/delivery/sites/outcomes.ts'
import type { SigningKey } from '../../src/domains/domain-keys.ts'
import { newId } from '../../src/lib/ids.ts'
import { createLog } from '../../src/lib/log.ts'
import { NO_PRECEDENCE } from '../../src/queue/backpressure.ts'
import type { DeliveryResult, DueDelivery } from '../../src/queue/types.ts'

/** A deliverer with one site: the messages it sends, and its reports. */
export interface DeliveryWorld {
  deliverer: Deliverer
  /** Addresses sent on connections, in order. */
  sent: string[]
  reports: Report[]
  nowMs: number
  /** Opens a connection; by default, one that accepts every message. */
  open(delivery: DueDelivery): Promise<Opened>
  /** Resolves when a report is written. */
  settle(report: Report): Promise<void>
}

export const ROUTING: Routing = {
  fixedSites: [],
  prefetch: () => {},
  route: async () => ({ hops: [{ site: 'mx.test', relay: null, hosts: [] }] }),
  domainsOf: () => [],
  isKnownTo: () => false,
}

/** Starts a deliverer, which is drained after the test. */
export function startDelivery(changes: Partial<DeliverDeps> = {}): DeliveryWorld {
  const world: DeliveryWorld = {
    sent: [],
    reports: [],
    nowMs: Date.now(),
    open: async () => ({ connection: connectionOf(world) }),
    settle: async () => {},
    deliverer: new Deliverer({
      clock: { now: () => new Date(world.nowMs) },
      log: createLog('silent'),
      backpressure: NO_PRECEDENCE,
      turns: new AcceptanceTurns(),
      slicer: { enter: () => null, hold: () => () => {} },
      retryScheduleMs: [60_000],
      random: () => 0.5,
      board: { mayProbe: () => true, paused: () => {}, answered: () => {}, known: () => null },
      shaping: () => [],
      probesMs: () => [60_000],
      attemptedCategoriesOf: async () => new Set(),
      routing: ROUTING,
      sender: async () => ({ tls: 'opportunistic', keys: [{} as SigningKey] }),
      signAhead: () => {},
      tlsClass: async () => ({ tls: 'opportunistic', usual: 'opportunistic' }),
      pickSource: async () => ({ source: { name: 'default', address: null, ehloName: 'us.test' } }),
      countSources: () => 1,
      open: (_key, delivery) => world.open(delivery),
      prepare: async () => ({ withdrawn: new Map() }),
      findWithdrawal: async () => null,
      settle: async (report) => {
        world.reports.push(report)
        await world.settle(report)
      },
      wake: () => {},
      ...changes,
    }),
  }
  onTestFinished(async () => void (await world.deliverer.drain()))
  return world
}

/** Its results have no reply, so they change neither the number of the site's lanes nor its pauses. */
export function connectionOf(world: DeliveryWorld) {
  return {
    usable: true,
    sentCount: 1,
    close() {},
    async deliver(delivery: DueDelivery) {
      world.sent.push(delivery.address)
      return {
        result: resultOf(delivery, 'delivered'),
        stale: false,
        slowDown: false,
        stage: 'dot' as const,
        decidedBy: 'loss' as const,
      }
    },
  }
}

export function resultOf(delivery: DueDelivery, state: 'delivered' | 'deferred'): DeliveryResult {
  return {
    delivery,
    verdict: {
      state,
      category: 'test',
      fault: null,
      suppress: false,
      retryAfterMs: null,
    },
    startedAt: new Date(),
    durationMs: 0,
    smtpCode: null,
    enhancedCode: null,
    response: null,
    mxHost: null,
    mxAddress: null,
    tls: null,
    transcript: [],
  }
}

export function due(address: string, leasedUntilMs = Date.now() + 60_000): DueDelivery {
  return {
    teamId: 'team',
    emailId: newId(),
    no: 0,
    address,
    addressKey: address,
    domain: 'to.test',
    domainId: 'domain',
    attempts: 0,
    expiresAt: new Date(Date.now() + 3_600_000),
    createdAt: new Date(),
    recipientCount: 1,
    isBulk: false,
    sizeBytes: 10,
    leasedUntilMs,
    checkedAtMs: Date.now(),
    message: { bytes: Buffer.alloc(10), smtpUtf8: false },
    tags: null,
  }
}

/** Resolves when everything that is ready to run has run. */
export const turn = () => new Promise((resolve) => setImmediate(resolve))
