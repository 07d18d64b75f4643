import { formatTime } from '../lib/time/format-time.ts'
import type { WebhookDelivery } from './webhook-deliveries-queries.ts'
import type { Webhook } from './webhooks-queries.ts'

/** Returns the webhook without its signing secret. */
export function webhookToJson(webhook: Webhook, now: Date) {
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
    disabled_at: formatTime(webhook.disabledAt),
    failing_since: formatTime(webhook.failingSince),
    previous_secret_until:
      oldSecretUntil !== null && oldSecretUntil > now ? formatTime(oldSecretUntil) : null,
    created_at: formatTime(webhook.createdAt),
    updated_at: formatTime(webhook.updatedAt),
  }
}

/** Returns the delivery for lists, without request and response bodies. */
export function deliveryToJson(delivery: WebhookDelivery) {
  return {
    object: 'webhook_delivery',
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    type: delivery.type,
    status: delivery.status,
    attempt_count: delivery.attempts.length,
    response_status: delivery.answerStatus,
    latency_ms: delivery.attempts.at(-1)?.latency_ms ?? null,
    next_attempt_at: formatTime(delivery.dueAt),
    replayed_as: delivery.replayedAs,
    created_at: formatTime(delivery.createdAt),
    updated_at: formatTime(delivery.updatedAt),
  }
}

/** @param body the request body; null if the event is no longer stored */
export function deliveryWithBodyToJson(delivery: WebhookDelivery, url: string, body: string | null) {
  const { answerStatus, answer, attempts, messageId } = delivery
  const headers = { 'content-type': 'application/json', 'webhook-id': messageId }
  return {
    ...deliveryToJson(delivery),
    request: { method: 'POST', url, headers, body },
    response: answerStatus === null ? null : { status: answerStatus, body: answer },
    attempts: attempts.map(({ at, status, latency_ms, error }) => ({
      at: formatTime(new Date(at)),
      status,
      latency_ms,
      error,
    })),
  }
}
