import { Counter, Gauge, type Registry } from 'prom-client'
import type { Db } from '../../db/db-types.ts'
import { createSignal } from '../../lib/async/signal.ts'
import { createGuardedConnector } from '../../lib/net/guarded-agent.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Outcome } from '../../webhooks/endpoint/attempts.ts'
import { SENDING_MAX } from '../../webhooks/endpoint/endpoint-health.ts'
import { countEndpoints, findOldestPending } from '../../webhooks/endpoint/endpoint-workers-queries.ts'
import { createResultWriter } from '../../webhooks/endpoint/result-writer.ts'
import { TeamFeeds } from '../../webhooks/endpoint/team-feeds.ts'
import { SEND_TIMEOUT_MS, startWebhookEngine } from '../../webhooks/endpoint/webhook-engine.ts'
import { WorkerBudget } from '../../webhooks/endpoint/worker-budget.ts'
import { openLine } from '../../webhooks/request/post.ts'
import { deriveWebhookKey, openWebhookSecrets } from '../../webhooks/request/secrets.ts'
import type { Runtime } from '../runtime.ts'

const CONNECT_TIMEOUT_MS = 5_000

/** Starts the webhooks role, which sends events to endpoints. */
export function startWebhooks(runtime: Runtime): void {
  const { config, clock, log, nodeId, secret, events, guard, hostAddresses, lifecycle } = runtime
  const { engine: db } = runtime.pools
  const { registry } = runtime.metrics
  const connect = createGuardedConnector({
    guard,
    timeoutMs: CONNECT_TIMEOUT_MS,
    addressesOf: hostAddresses,
    allowH2: false,
  })
  const key = deriveWebhookKey(secret)
  const signal = createSignal()
  const engine = startWebhookEngine({
    db,
    clock,
    log,
    nodeId,
    signal,
    random: Math.random,
    retryScheduleMs: config.webhookRetryScheduleMs,
    writer: createResultWriter({ db, clock, log, nodeId }),
    feeds: new TeamFeeds(db),
    budget: new WorkerBudget(),
    openLine: (url) => openLine({ url, connect, connectionsMax: SENDING_MAX, timeoutMs: SEND_TIMEOUT_MS }),
    secretsOf: (endpoint, at) => openWebhookSecrets(key, endpoint, at),
    count: countAttempts(registry),
  })
  const unsubscribe = events.subscribe(signal.notify)
  lifecycle.add('webhooks', async () => {
    unsubscribe()
    await engine.stop()
  })
  gaugeWebhooks(registry, db, clock)
}

function countAttempts(registry: Registry): (outcome: Outcome) => void {
  const attempts = new Counter({
    name: 'sendwright_webhook_tries_total',
    help: 'Webhook attempts by outcome: delivered, failed (to be retried), or given up.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return (outcome) => attempts.inc({ outcome })
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
