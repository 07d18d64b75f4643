import Type from 'typebox'
import type { Config } from '../config/config.ts'
import { type Db, type Queryable, runAgainOnDeadlock } from '../db/db.ts'
import { findEvents } from '../events/feed.ts'
import { listOf, listToJson, PAGE_PARAMETERS, readPage } from '../http/page.ts'
import { type Route, routesOf } from '../http/route.ts'
import { IdParams } from '../http/schemas.ts'
import { ApiError, invalidField } from '../lib/api-error.ts'
import type { Clock } from '../lib/time/clock.ts'
import { parseInstant } from '../lib/time/scheduled-at.ts'
import { REPLAY_MAX, replayDelivery, replayRange } from './replay-webhooks.ts'
import { writeWebhookBody } from './request/body.ts'
import {
  countWebhookDeliveries,
  DELIVERY_LOOK_MAX,
  findWebhookDelivery,
  listWebhookDeliveries,
  type WebhookDelivery,
  type WebhookDeliveryFilter,
} from './webhook-deliveries-queries.ts'
import { deliveryToJson, deliveryWithBodyToJson } from './webhook-json.ts'
import { DeliveryAnswer, DeliveryWhole, ReplayAnswer, ReplayBody } from './webhook-schemas.ts'
import { findWebhook } from './webhooks-queries.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

const common = { tag: 'Webhooks', permission: 'full', limit: 'general' } as const
const STATUSES = ['waiting', 'delivered', 'failed'] as const

const DeliveryParams = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The id of the webhook.' }),
  deliveryId: Type.String({ format: 'uuid', description: 'The id of the delivery.' }),
})

const DeliveryQuery = Type.Object({
  ...PAGE_PARAMETERS,
  status: Type.Optional(Type.Enum([...STATUSES], { description: 'Deliveries in this state.' })),
  type: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `Deliveries of this event. Looks through at most ${DELIVERY_LOOK_MAX.toLocaleString('en-US')} deliveries: follow \`links.next\`.`,
    }),
  ),
})

async function requireWebhook(db: Queryable, teamId: string, id: string) {
  const webhook = await findWebhook(db, teamId, id)
  if (webhook === null) throw new ApiError('not_found')
  return webhook
}

const getDeliveries = route('GET', '/webhooks/:id/deliveries', {
  ...common,
  summary: 'List what was sent to a webhook',
  description:
    'One delivery is one event at this endpoint, with all its tries. `meta.total` counts no further than 10,000.',
  params: IdParams,
  query: DeliveryQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(DeliveryAnswer) } },
  async handle({ caller: { teamId }, params, query, deps: { lists, config } }) {
    const page = readPage(query)
    const { id } = await requireWebhook(lists, teamId, params.id)
    const filter: WebhookDeliveryFilter = {}
    const status = STATUSES.find((name) => name === query.status)
    if (status !== undefined) filter.status = status
    if (query.type !== undefined) filter.type = query.type
    const found = await listWebhookDeliveries(lists, teamId, id, filter, page)
    const total = await countWebhookDeliveries(lists, teamId, id, filter)
    const list = { publicUrl: config.publicUrl, path: `/webhooks/${id}/deliveries`, query, page, total }
    return { status: 200, json: listToJson({ ...list, ...found, data: found.rows.map(deliveryToJson) }) }
  },
})

const getDelivery = route('GET', '/webhooks/:id/deliveries/:deliveryId', {
  ...common,
  summary: 'Read a delivery with its request, answer and tries',
  params: DeliveryParams,
  responses: { 200: { description: 'The delivery.', schema: DeliveryWhole } },
  async handle({ caller: { teamId }, params, deps: { db } }) {
    const webhook = await requireWebhook(db, teamId, params.id)
    const delivery = await findWebhookDelivery(db, teamId, webhook.id, params.deliveryId)
    if (delivery === null) throw new ApiError('not_found')
    return { status: 200, json: deliveryWithBodyToJson(delivery, webhook.url, await readBody(db, delivery)) }
  },
})

/** What is sent; null where the event is not kept any more. */
async function readBody(db: Queryable, delivery: WebhookDelivery): Promise<string | null> {
  const { teamId, eventId, subjectId, payload, type, createdAt } = delivery
  if (payload !== null) return writeWebhookBody({ type, createdAt, data: payload })
  if (eventId === null || subjectId === null) return null
  const [event] = await findEvents(db, teamId, [{ subjectId, id: eventId }])
  return event === undefined ? null : writeWebhookBody(event)
}

const postReplay = route('POST', '/webhooks/:id/deliveries/:deliveryId/replay', {
  ...common,
  summary: 'Send one delivery again',
  description:
    'As a new delivery with all its tries before it and the same `webhook-id`. One that waits for its next try is tried now instead.',
  params: DeliveryParams,
  responses: { 202: { description: 'The delivery that is tried now.', schema: DeliveryAnswer } },
  async handle({ caller, params, deps: { db, clock } }) {
    const delivery = await runAgainOnDeadlock(db, (tx) =>
      replayDelivery(tx, caller.teamId, params.id, params.deliveryId, clock.now()),
    )
    return { status: 202, json: deliveryToJson(delivery) }
  },
})

const postRangeReplay = route('POST', '/webhooks/:id/replay', {
  ...common,
  summary: 'Send the events of a time again',
  description: `Each as a new delivery, whether the webhook was told of it before or not: also what happened while it was disabled, or before it was made. One call makes at most ${REPLAY_MAX.toLocaleString('en-US')}; \`cursor\` of its answer goes on with the same request. What the webhook has not come to yet is left out: it is sent anyway.`,
  params: IdParams,
  body: ReplayBody,
  responses: { 202: { description: 'They are sent, new events beside them.', schema: ReplayAnswer } },
  async handle({ caller, params, body, deps: { db, clock } }) {
    const now = clock.now()
    const request = {
      since: readTime('since', body.since),
      until: body.until === undefined ? now : readTime('until', body.until),
      types: body.types ?? null,
      onlyFailed: body.only_failed ?? false,
      cursor: body.cursor ?? null,
    }
    const id = params.id.toLowerCase()
    const { count, cursor } = await runAgainOnDeadlock(db, (tx) =>
      replayRange(tx, caller.teamId, id, request, now),
    )
    return {
      status: 202,
      json: { object: 'webhook_replay', webhook_id: id, count, has_more: cursor !== null, cursor },
    }
  },
})

/** Ids carry milliseconds since 1970: nothing happened before. */
function readTime(field: string, text: string): Date {
  const at = parseInstant(text)
  if (at === null) throw invalidField(field, `The ${field} field must be an ISO 8601 timestamp.`)
  return at.getTime() < 0 ? new Date(0) : at
}

export const webhookDeliveryRoutes: readonly Route<Deps>[] = [
  postRangeReplay,
  getDeliveries,
  getDelivery,
  postReplay,
]
