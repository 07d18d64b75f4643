import { Counter, Gauge, type Registry } from 'prom-client'
import type { Db } from '../../db/db-types.ts'
import { createSignal } from '../../lib/async/signal.ts'
import { createGuardedConnector } from '../../lib/net/guarded-agent.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Outcome } from '../../webhooks/endpoint/attempts.ts'
import { SENDING_MAX } from '../../webhooks/endpoint/endpoint-health.ts'
import { countEndpoints, findOldestUntold } from '../../webhooks/endpoint/endpoint-workers-queries.ts'
import { createResultWriter } from '../../webhooks/endpoint/result-writer.ts'
import { TeamFeeds } from '../../webhooks/endpoint/team-feeds.ts'
import { SEND_TIMEOUT_MS, startWebhookEngine } from '../../webhooks/endpoint/webhook-engine.ts'
import { WorkerBudget } from '../../webhooks/endpoint/worker-budget.ts'
import { openLine } from '../../webhooks/request/post.ts'
import { deriveWebhookKey, openWebhookSecrets } from '../../webhooks/request/secrets.ts'
import type { Runtime } from '../runtime.ts'

const CONNECT_TIMEOUT_MS = 5_000

/** The webhooks role: tells endpoints what happened. */
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
    help: 'Tries of webhooks: delivered, failed (tried again), or given up.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return (outcome) => attempts.inc({ outcome })
}

/** Figures of all endpoints, read when they are asked for; absent while the database is away. */
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
    help: 'Age of the oldest event that a healthy webhook has not come to. Events that it does not want count for ten seconds.',
    registers: [registry],
    async collect() {
      this.reset()
      const oldest = await findOldestUntold(db).catch(() => undefined)
      if (oldest === undefined) return
      this.set(oldest === null ? 0 : Math.max(0, clock.now().getTime() - oldest.getTime()) / 1000)
    },
  })
}
