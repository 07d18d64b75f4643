import { readCounter } from '../db/counters.ts'
import type { Tx } from '../db/db-types.ts'
import { EVENT_KINDS, type EventType, isSentEventType, SENT_EVENT_TYPES } from '../events/catalogue.ts'
import { findFeedEnd } from '../events/feed-queries.ts'
import { ApiError, type FieldErrors, invalidField, orNotFound, throwInvalid } from '../lib/api-error.ts'
import { newId } from '../lib/ids.ts'
import type { Guard } from '../lib/net/egress-guard.ts'
import { newWebhookSecret, sealWebhookSecret } from './request/secrets.ts'
import { insertWaitingDelivery, type WebhookDelivery } from './webhook-deliveries-queries.ts'
import { refuseWebhookUrl } from './webhook-url.ts'
import {
  bringRetryForward,
  hintWebhooks,
  insertWebhook,
  lockWebhook,
  updateWebhook,
  updateWebhookSecret,
  updateWebhookStatus,
  WEBHOOK_COUNTER,
  type Webhook,
} from './webhooks-queries.ts'

export interface WebhookInput {
  url: string
  /** Event types; null for all. */
  events: readonly string[] | null
  description: string | null
}

export interface WebhookChanges extends Partial<WebhookInput> {
  status?: Webhook['status']
}

/** The dependencies of URL checks and sealing. */
export interface WebhookTools {
  guard: Guard
  allowPrivate: boolean
  /** `deriveWebhookKey` of the installation's master key. */
  key: Buffer
}

/** Every event causes one request for each webhook. */
export const WEBHOOKS_MAX = 50
const OLD_SECRET_MS = 24 * 3_600_000
const ALL = '*'

/**
 * Creates an endpoint that receives events from now on. Throws ApiError: `validation_error` for its URL, for each
 * unknown event, and above WEBHOOKS_MAX.
 * @param urlField the name of the field that contained the URL
 */
export async function createWebhook(
  tx: Tx,
  tools: WebhookTools,
  teamId: string,
  input: WebhookInput,
  now: Date,
  urlField = 'endpoint',
): Promise<Webhook> {
  validateUrl(input.url, tools, urlField)
  const id = newId(now.getTime())
  const webhook: Webhook = {
    teamId,
    id,
    url: input.url,
    description: input.description,
    types: readTypes(input.events),
    status: 'enabled',
    disabledReason: null,
    disabledAt: null,
    sealedSecret: sealWebhookSecret(tools.key, teamId, id, newWebhookSecret()),
    sealedOldSecret: null,
    oldSecretUntil: null,
    position: await findFeedEnd(tx, teamId),
    failingSince: null,
    createdAt: now,
    updatedAt: now,
  }
  // The counter stays locked from here on, so that the second of two concurrent calls counts the first.
  await insertWebhook(tx, webhook)
  if ((await readCounter(tx, teamId, WEBHOOK_COUNTER)) > WEBHOOKS_MAX) {
    throw invalidField(urlField, `An account must not have more than ${WEBHOOKS_MAX} webhooks.`)
  }
  return webhook
}

/** Changes the given fields. Throws ApiError like createWebhook, and `not_found`. */
export async function changeWebhook(
  tx: Tx,
  tools: WebhookTools,
  teamId: string,
  id: string,
  changes: WebhookChanges,
  now: Date,
  urlField = 'endpoint',
): Promise<Webhook> {
  const before = await requireLockedWebhook(tx, teamId, id)
  if (changes.url !== undefined) validateUrl(changes.url, tools, urlField)
  const webhook: Webhook = {
    ...before,
    url: changes.url ?? before.url,
    description: changes.description === undefined ? before.description : changes.description,
    types: changes.events === undefined ? before.types : readTypes(changes.events),
    failingSince: changes.url === undefined || changes.url === before.url ? before.failingSince : null,
    updatedAt: now,
  }
  await updateWebhook(tx, webhook)
  const changed =
    changes.status === undefined || changes.status === before.status
      ? webhook
      : await switchWebhook(tx, webhook, changes.status, now)
  await hintWebhooks(tx)
  return changed
}

/** Events from the disabled period are not sent. The owner can replay them. */
async function switchWebhook(
  tx: Tx,
  webhook: Webhook,
  status: Webhook['status'],
  now: Date,
): Promise<Webhook> {
  const switched: Webhook =
    status === 'disabled'
      ? { ...webhook, status, disabledReason: null, disabledAt: now }
      : {
          ...webhook,
          status,
          disabledReason: null,
          disabledAt: null,
          failingSince: null,
          position: await findFeedEnd(tx, webhook.teamId),
        }
  await updateWebhookStatus(tx, switched)
  return switched
}

/** Creates a new secret. The previous one also signs for a day, so that the owner has time to switch. */
export async function rotateWebhookSecret(
  tx: Tx,
  key: Buffer,
  teamId: string,
  id: string,
  now: Date,
): Promise<Webhook> {
  const before = await requireLockedWebhook(tx, teamId, id)
  const webhook: Webhook = {
    ...before,
    sealedSecret: sealWebhookSecret(key, teamId, before.id, newWebhookSecret()),
    sealedOldSecret: before.sealedSecret,
    oldSecretUntil: new Date(now.getTime() + OLD_SECRET_MS),
    updatedAt: now,
  }
  await updateWebhookSecret(tx, webhook)
  await hintWebhooks(tx)
  return webhook
}

/**
 * Sends an example event, signed and attempted like any other.
 * @param type null for the first type that the webhook subscribes to
 */
export async function testWebhook(
  tx: Tx,
  teamId: string,
  id: string,
  type: string | null,
  now: Date,
): Promise<WebhookDelivery> {
  const webhook = await requireLockedWebhook(tx, teamId, id)
  if (type !== null && !isSentEventType(type)) throw invalidField('type', nameTypes('type'))
  await refuseDisabled(tx, webhook, now)
  const kind = findKind(type ?? webhook.types[0] ?? TESTED_TYPE)
  const delivery = await insertWaitingDelivery(tx, {
    teamId,
    webhookId: webhook.id,
    id: newId(now.getTime()),
    eventId: null,
    subjectId: null,
    type: kind.type,
    payload: { ...kind.example },
    createdAt: now,
  })
  await hintWebhooks(tx)
  return delivery
}

const TESTED_TYPE: EventType = 'email.delivered'

function findKind(type: string) {
  return EVENT_KINDS.find((kind) => kind.type === type) ?? EVENT_KINDS[0]
}

/** Makes the next delivery of the webhook due now. Throws `conflict` if the webhook is disabled. */
export async function refuseDisabled(tx: Tx, { teamId, id }: { teamId: string; id: string }, now: Date) {
  if (!(await bringRetryForward(tx, teamId, id, now))) {
    throw new ApiError('conflict', 'This webhook is disabled: enable it first.')
  }
}

/** Locks the webhook until the transaction ends. Throws `not_found`. */
export async function requireLockedWebhook(tx: Tx, teamId: string, id: string): Promise<Webhook> {
  return orNotFound(await lockWebhook(tx, teamId, id))
}

function validateUrl(url: string, { guard, allowPrivate }: WebhookTools, field: string): void {
  const reason = refuseWebhookUrl(url, guard, allowPrivate)
  if (reason !== null) throw invalidField(field, `The ${field} field ${reason}.`)
}

/** Returns each event type once, or all types if none is given. Throws ApiError that lists unknown and reserved types. */
function readTypes(events: readonly string[] | null): string[] {
  if (events === null || events.includes(ALL)) return []
  refuseUnknownTypes(events, 'events')
  return [...new Set(events)]
}

/** Throws ApiError (422) that lists every unknown or reserved type and the valid ones. */
export function refuseUnknownTypes(types: readonly string[], field: string): void {
  const errors: FieldErrors = {}
  for (const [index, type] of types.entries()) {
    if (!isSentEventType(type)) errors[`${field}.${index}`] = [nameTypes(`${field}.${index}`)]
  }
  throwInvalid(errors)
}

function nameTypes(field: string): string {
  return `The ${field} field must be one of ${SENT_EVENT_TYPES.join(', ')}.`
}
