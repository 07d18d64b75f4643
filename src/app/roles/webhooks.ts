import { Counter, type Registry } from 'prom-client'
import { createSignal } from '../../lib/async/signal.ts'
import { createGuardedConnector } from '../../lib/net/guarded-agent.ts'
import type { WebhookOutcome } from '../../webhooks/endpoint/attempts.ts'
import { SENDING_MAX } from '../../webhooks/endpoint/endpoint-health.ts'
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
}

function countAttempts(registry: Registry): (outcome: WebhookOutcome) => void {
  const attempts = new Counter({
    name: 'sendwright_webhook_tries_total',
    help: 'Webhook attempts by outcome: delivered, failed (to be retried), or given up.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return (outcome) => attempts.inc({ outcome })
}
