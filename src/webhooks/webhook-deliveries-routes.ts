import Type from 'typebox'
import { runAgainOnDeadlock } from '../db/transactions.ts'
import { listOf, PAGE_PARAMETERS, pageReply, readPage } from '../http/route/page.ts'
import type { ResourceDeps } from '../http/route/resource.ts'
import { type Route, routesOf } from '../http/route/route.ts'
import { IdParams } from '../http/route/schemas.ts'
import { invalidField } from '../lib/api-error.ts'
import { omitUndefined } from '../lib/omit-undefined.ts'
import { parseInstant } from '../lib/time/scheduled-at.ts'
import { readDeliveryBody, requireDelivery, requireWebhook } from './read-delivery.ts'
import { REPLAY_MAX, replayDelivery, replayRange } from './replay-webhooks.ts'
import {
  countWebhookDeliveries,
  DELIVERY_SCAN_MAX,
  listWebhookDeliveries,
} from './webhook-deliveries-queries.ts'
import { deliveryToJson, deliveryWithBodyToJson } from './webhook-json.ts'
import { DeliveryAnswer, DeliveryWhole, ReplayAnswer, ReplayBody } from './webhook-schemas.ts'

const { route } = routesOf<ResourceDeps>()

const common = { area: 'webhooks', permission: 'full' } as const
const STATUSES = ['waiting', 'delivered', 'failed'] as const

const DeliveryParams = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the webhook.' }),
  deliveryId: Type.String({ format: 'uuid', description: 'Id of the delivery.' }),
})

const DeliveryQuery = Type.Object({
  ...PAGE_PARAMETERS,
  status: Type.Optional(Type.Enum([...STATUSES], { description: 'Deliveries with this status.' })),
  type: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `Deliveries of this event type. A request scans at most ${DELIVERY_SCAN_MAX.toLocaleString('en-US')}; follow \`links.next\` to continue.`,
    }),
  ),
})

const getDeliveries = route('GET', '/webhooks/:id/deliveries', {
  ...common,
  operationId: 'listWebhookDeliveries',
  summary: 'List webhook deliveries',
  description: 'A delivery is one event for one endpoint, with all its attempts.',
  params: IdParams,
  query: DeliveryQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(DeliveryAnswer) } },
  async handle(request) {
    const { caller, params, query, deps } = request
    const { teamId } = caller
    const page = readPage(query)
    const { id } = await requireWebhook(deps.lists, teamId, params.id)
    const status = STATUSES.find((name) => name === query.status)
    const filter = omitUndefined({ status, type: query.type })
    const deliveries = await listWebhookDeliveries(deps.lists, teamId, id, filter, page)
    const total = await countWebhookDeliveries(deps.lists, teamId, id, filter)
    return pageReply(request, `/webhooks/${id}/deliveries`, { ...deliveries, page, total }, deliveryToJson)
  },
})

const getDelivery = route('GET', '/webhooks/:id/deliveries/:deliveryId', {
  ...common,
  operationId: 'getWebhookDelivery',
  summary: 'Get a webhook delivery',
  description: 'Includes the request, the response, and every attempt.',
  params: DeliveryParams,
  responses: { 200: { description: 'The delivery.', schema: DeliveryWhole } },
  async handle({ caller: { teamId }, params, deps: { db } }) {
    const webhook = await requireWebhook(db, teamId, params.id)
    const delivery = await requireDelivery(db, teamId, webhook.id, params.deliveryId)
    return {
      status: 200,
      json: deliveryWithBodyToJson(delivery, webhook.url, await readDeliveryBody(db, delivery)),
    }
  },
})

const postReplay = route('POST', '/webhooks/:id/deliveries/:deliveryId/replay', {
  ...common,
  operationId: 'replayWebhookDelivery',
  action: 'webhooks.deliveries.replay',
  summary: 'Replay a webhook delivery',
  description:
    'Creates a new delivery with all attempts and the same `webhook-id`. One that waits for a retry is retried now instead.',
  params: DeliveryParams,
  responses: {
    202: { description: 'The delivery, attempted immediately.', schema: DeliveryAnswer },
  },
  async handle({ caller, params, audited, deps: { clock } }) {
    const delivery = await runAgainOnDeadlock(audited, (tx) =>
      replayDelivery(tx, caller.teamId, params.id, params.deliveryId, clock.now()),
    )
    return { status: 202, json: deliveryToJson(delivery) }
  },
})

const postRangeReplay = route('POST', '/webhooks/:id/replay', {
  ...common,
  operationId: 'replayWebhookEvents',
  action: 'webhooks.replay',
  summary: 'Replay the events of a period',
  description: `Creates a delivery for each event, even if the webhook received it before or did not exist yet. Events that the webhook has not reached yet are skipped, because it receives them anyway. Events that wait for a retry are sent twice. At most ${REPLAY_MAX.toLocaleString('en-US')} per request.`,
  params: IdParams,
  body: ReplayBody,
  responses: { 202: { description: 'The deliveries are queued.', schema: ReplayAnswer } },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const now = clock.now()
    const request = {
      since: readTime('since', body.since),
      until: body.until === undefined ? now : readTime('until', body.until),
      types: body.types ?? null,
      onlyFailed: body.only_failed ?? false,
      cursor: body.cursor ?? null,
    }
    const id = params.id.toLowerCase()
    const { count, cursor } = await runAgainOnDeadlock(audited, (tx) =>
      replayRange(tx, caller.teamId, id, request, now),
    )
    return {
      status: 202,
      json: { object: 'webhook_replay', webhook_id: id, count, has_more: cursor !== null, cursor },
    }
  },
})

/** Ids contain milliseconds since 1970, so nothing is older. */
function readTime(field: string, text: string): Date {
  const at = parseInstant(text)
  if (at === null) throw invalidField(field, `The ${field} field must be an ISO 8601 timestamp.`)
  return at.getTime() < 0 ? new Date(0) : at
}

export const webhookDeliveryRoutes: readonly Route<ResourceDeps>[] = [
  postRangeReplay,
  getDeliveries,
  getDelivery,
  postReplay,
]
