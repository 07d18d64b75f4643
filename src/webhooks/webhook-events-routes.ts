import Type from 'typebox'
import { runAgainOnDeadlock } from '../db/transactions.ts'
import { cutPage, listOf, PageQuery, pageReply, readPage } from '../http/route/page.ts'
import type { ResourceDeps } from '../http/route/resource.ts'
import { type Route, routesOf } from '../http/route/route.ts'
import { IdParams, Text, Timestamp, TimestampOrNull, Uuid } from '../http/route/schemas.ts'
import { partId } from '../lib/ids.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { readDeliveryBody, requireDelivery, requireWebhook } from './read-delivery.ts'
import { replayDelivery } from './replay-webhooks.ts'
import {
  countWebhookDeliveries,
  listWebhookDeliveries,
  type WebhookDelivery,
} from './webhook-deliveries-queries.ts'

/**
 * The deliveries of a webhook in the form of Resend's API, which calls them events. Programs written for this API use
 * `/webhooks/{id}/deliveries`.
 */
const { route } = routesOf<ResourceDeps>()

const COMMON = { area: 'webhooks', permission: 'full' } as const
const DELIVERIES = '/webhooks/:id/deliveries'
const DELIVERY = `${DELIVERIES}/:deliveryId`
const ID = '0198c0de-0000-7000-8000-0000000000e8'

const Params = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the webhook.' }),
  eventId: Type.String({ format: 'uuid', description: 'Id of the delivery.' }),
})

const FIELDS = {
  object: Type.Literal('webhook_event'),
  id: Uuid,
  type: Text('Type of the event.'),
  created_at: Timestamp,
  status: Type.Enum(['success', 'pending', 'failed', 'attempting']),
}
const EXAMPLE = {
  object: 'webhook_event',
  id: ID,
  type: 'email.delivered',
  created_at: '2026-01-15 09:30:00',
  status: 'success',
}
const EventAnswer = Type.Object(FIELDS, { title: 'WebhookEventSummary', examples: [EXAMPLE] })
const EventWhole = Type.Object(
  {
    ...FIELDS,
    next_attempt_at: TimestampOrNull,
    payload: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: 'The body. Null if it is no longer stored.',
    }),
  },
  {
    title: 'WebhookEventLog',
    'x-extends': 'WebhookEventSummary',
    examples: [{ ...EXAMPLE, next_attempt_at: null, payload: null }],
  },
)
const AttemptAnswer = Type.Object(
  {
    id: Uuid,
    http_status_code: Type.Integer({ description: '0: no response.' }),
    response: Text('Start of the last response. Empty for earlier attempts.'),
    sent_at: Timestamp,
  },
  {
    title: 'WebhookEventAttempt',
    examples: [{ id: ID, http_status_code: 200, response: 'ok', sent_at: '2026-01-15 09:30:00' }],
  },
)

function eventToJson(delivery: WebhookDelivery) {
  const { id, type, status, createdAt, attempts } = delivery
  const open = attempts.length === 0 ? 'pending' : 'attempting'
  return {
    object: 'webhook_event',
    id,
    type,
    created_at: formatTime(createdAt),
    status: status === 'waiting' ? open : status === 'delivered' ? 'success' : 'failed',
  }
}

const getEvents = route('GET', '/webhooks/:id/events', {
  ...COMMON,
  operationId: 'listWebhookEvents',
  aliasOf: { method: 'GET', path: DELIVERIES },
  summary: 'List webhook events',
  description: 'The deliveries of a webhook.',
  params: IdParams,
  query: PageQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(EventAnswer) } },
  async handle(request) {
    const { caller, params, query, deps } = request
    const page = readPage(query)
    const { id } = await requireWebhook(deps.lists, caller.teamId, params.id)
    const deliveries = await listWebhookDeliveries(deps.lists, caller.teamId, id, {}, page)
    const total = await countWebhookDeliveries(deps.lists, caller.teamId, id, {})
    return pageReply(request, `/webhooks/${id}/events`, { ...deliveries, page, total }, eventToJson)
  },
})

const getEvent = route('GET', '/webhooks/:id/events/:eventId', {
  ...COMMON,
  operationId: 'getWebhookEvent',
  aliasOf: { method: 'GET', path: DELIVERY },
  summary: 'Get a webhook event',
  description: 'A delivery with its payload.',
  params: Params,
  responses: { 200: { description: 'The event.', schema: EventWhole } },
  async handle({ caller: { teamId }, params, deps: { db } }) {
    const webhook = await requireWebhook(db, teamId, params.id)
    const delivery = await requireDelivery(db, teamId, webhook.id, params.eventId)
    const body = await readDeliveryBody(db, delivery)
    const payload = body === null ? null : JSON.parse(body)
    return {
      status: 200,
      json: { ...eventToJson(delivery), next_attempt_at: formatTime(delivery.dueAt), payload },
    }
  },
})

const getAttempts = route('GET', '/webhooks/:id/events/:eventId/attempts', {
  ...COMMON,
  operationId: 'listWebhookEventAttempts',
  aliasOf: { method: 'GET', path: DELIVERY },
  summary: 'List attempts of a webhook event',
  description: 'All attempts of a delivery.',
  params: Params,
  query: PageQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(AttemptAnswer) } },
  async handle(request) {
    const { caller, params, query, deps } = request
    const webhook = await requireWebhook(deps.lists, caller.teamId, params.id)
    const delivery = await requireDelivery(deps.lists, caller.teamId, webhook.id, params.eventId)
    const page = readPage(query)
    const attempts = attemptsToJson(delivery)
    const list = { ...cutPage(attempts, page), page, total: attempts.length }
    const path = `/webhooks/${delivery.webhookId}/events/${delivery.id}/attempts`
    return pageReply(request, path, list, (attempt) => attempt)
  },
})

function attemptsToJson({ id, attempts, answer }: WebhookDelivery) {
  const oldestFirst = attempts.map(({ at, status }, index) => ({
    id: partId(id, index),
    http_status_code: status ?? 0,
    response: index === attempts.length - 1 ? (answer ?? '') : '',
    sent_at: formatTime(new Date(at)),
  }))
  return oldestFirst.reverse()
}

const postEventReplay = route('POST', '/webhooks/:id/events/:eventId/replay', {
  ...COMMON,
  operationId: 'replayWebhookEvent',
  action: 'webhooks.deliveries.replay',
  aliasOf: { method: 'POST', path: `${DELIVERY}/replay` },
  summary: 'Replay a webhook event',
  description: 'Sends the event of a delivery again.',
  params: Params,
  responses: { 202: { description: 'The new delivery.', schema: EventAnswer } },
  async handle({ caller, params, audited, deps: { clock } }) {
    const delivery = await runAgainOnDeadlock(audited, (tx) =>
      replayDelivery(tx, caller.teamId, params.id, params.eventId, clock.now()),
    )
    return { status: 202, json: eventToJson(delivery) }
  },
})

export const webhookEventRoutes: readonly Route<ResourceDeps>[] = [
  getEvents,
  getEvent,
  getAttempts,
  postEventReplay,
]
