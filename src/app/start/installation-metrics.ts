import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../../db/db-types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { oldestReadyByClass } from '../../queue/depth-queries.ts'
import { countEndpoints, findOldestPending } from '../../webhooks/endpoint/endpoint-workers-queries.ts'
import { gaugeOperation } from '../operator-metrics.ts'
import type { Runtime } from '../runtime.ts'
import type { ProcessRole } from '../types.ts'

/**
 * Adds the gauges of the whole installation: the queue, the teams and the webhooks. With several workers, only the
 * supervisor has them, so that they are read once and not added up.
 */
export function gaugeInstallation({ metrics, pools, clock }: Runtime, roles: readonly ProcessRole[]): void {
  const { registry } = metrics
  gaugeOperation(registry, pools.lists, clock)
  gaugeQueue(registry, pools.engine, clock)
  if (roles.includes('webhooks')) gaugeWebhooks(registry, pools.engine, clock)
}

/** Adds a gauge of the queue, which is read on each scrape and absent while the database is unavailable. */
function gaugeQueue(registry: Registry, db: Db, clock: Clock): void {
  new Gauge({
    name: 'sendwright_queue_oldest_ready_seconds',
    help: 'Age of the oldest delivery that could be sent now, by class of mail.',
    labelNames: ['class'],
    registers: [registry],
    async collect() {
      this.reset()
      const ages = await oldestReadyByClass(db, clock.now()).catch(() => ({}))
      for (const [name, seconds] of Object.entries(ages)) this.set({ class: name }, seconds)
    },
  })
}

/** Adds gauges of all endpoints, which are read on each scrape and absent while the database is unavailable. */
function gaugeWebhooks(registry: Registry, db: Db, clock: Clock): void {
  new Gauge({
    name: 'sendwright_webhooks',
    help: 'Webhooks by state: healthy, failing, disabled.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset()
      const counts = await countEndpoints(db).catch(() => null)
      for (const [state, count] of Object.entries(counts ?? {})) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'sendwright_webhook_lag_seconds',
    help: 'Age of the oldest event that a healthy webhook has not yet reached. Events that it does not subscribe to count for up to ten seconds.',
    registers: [registry],
    async collect() {
      this.reset()
      const oldest = await findOldestPending(db).catch(() => undefined)
      if (oldest === undefined) return
      this.set(oldest === null ? 0 : Math.max(0, clock.now().getTime() - oldest.getTime()) / 1000)
    },
  })
}
