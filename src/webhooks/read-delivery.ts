import type { Queryable } from '../db/db-types.ts'
import { findEvents } from '../events/feed-queries.ts'
import { orNotFound } from '../lib/api-error.ts'
import { writeWebhookBody } from './request/body.ts'
import { findWebhookDelivery, type WebhookDelivery } from './webhook-deliveries-queries.ts'
import { findWebhook, type Webhook } from './webhooks-queries.ts'

/** Throws ApiError (404) if the team has no such webhook. */
export async function requireWebhook(db: Queryable, teamId: string, id: string): Promise<Webhook> {
  return orNotFound(await findWebhook(db, teamId, id))
}

/** Throws ApiError (404) if the webhook has no such delivery. */
export async function requireDelivery(
  db: Queryable,
  teamId: string,
  webhookId: string,
  id: string,
): Promise<WebhookDelivery> {
  return orNotFound(await findWebhookDelivery(db, teamId, webhookId, id.toLowerCase()))
}

/** Returns the request body, or null if the event is no longer stored. */
export async function readDeliveryBody(db: Queryable, delivery: WebhookDelivery): Promise<string | null> {
  const { teamId, eventId, subjectId, payload, type, createdAt } = delivery
  if (payload !== null) return writeWebhookBody({ type, createdAt, data: payload })
  if (eventId === null || subjectId === null) return null
  const [event] = await findEvents(db, teamId, [{ subjectId, id: eventId }])
  return event === undefined ? null : writeWebhookBody(event)
}
