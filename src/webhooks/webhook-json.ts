import { presentTime } from '../lib/time/format-time.ts'
import type { WebhookDelivery } from './webhook-deliveries-queries.ts'
import type { Webhook } from './webhooks-queries.ts'

/** As its owner reads it, without its signing secret. */
export function presentWebhook(webhook: Webhook, now: Date) {
  const { types, oldSecretUntil } = webhook
  return {
    object: 'webhook',
    id: webhook.id,
    endpoint: webhook.url,
    url: webhook.url,
    events: types.length === 0 ? null : types,
    description: webhook.description,
    status: webhook.status,
    disabled_reason: webhook.disabledReason,
    disabled_at: presentTime(webhook.disabledAt),
    failing_since: presentTime(webhook.failingSince),
    previous_secret_until:
      oldSecretUntil !== null && oldSecretUntil > now ? presentTime(oldSecretUntil) : null,
    created_at: presentTime(webhook.createdAt),
    updated_at: presentTime(webhook.updatedAt),
  }
}

/** As lists show it, without what was sent and answered. */
export function presentDelivery(delivery: WebhookDelivery) {
  return {
    object: 'webhook_delivery',
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    type: delivery.type,
    status: delivery.status,
    attempt_count: delivery.tries.length,
    response_status: delivery.answerStatus,
    latency_ms: delivery.tries.at(-1)?.latency_ms ?? null,
    next_attempt_at: presentTime(delivery.dueAt),
    replayed_as: delivery.replayedAs,
    created_at: presentTime(delivery.createdAt),
    updated_at: presentTime(delivery.updatedAt),
  }
}

/** @param body what is sent; null where the event is not kept any more */
export function presentWholeDelivery(delivery: WebhookDelivery, url: string, body: string | null) {
  const { answerStatus, answer, tries, eventId, id } = delivery
  const headers = { 'content-type': 'application/json', 'webhook-id': eventId ?? id }
  return {
    ...presentDelivery(delivery),
    request: { method: 'POST', url, headers, body },
    response: answerStatus === null ? null : { status: answerStatus, body: answer },
    attempts: tries.map(({ at, status, latency_ms, error }) => ({
      at: presentTime(new Date(at)),
      status,
      latency_ms,
      error,
    })),
  }
}
