import type { Static } from 'typebox'
import { mayChange } from '../access/permissions.ts'
import type { Config } from '../config/config.ts'
import { readCounter } from '../db/counters.ts'
import type { Db } from '../db/db-types.ts'
import { runAgainOnDeadlock } from '../db/transactions.ts'
import { listOf, listToJson, PageQuery, readPage } from '../http/page.ts'
import { deletedToJson } from '../http/present.ts'
import { type Audited, aliasOf, type Request, type Route, routesOf } from '../http/route.ts'
import { Deleted, IdParams } from '../http/schemas.ts'
import { ApiError, invalidField } from '../lib/api-error.ts'
import type { Guard } from '../lib/net/egress-guard.ts'
import type { Clock } from '../lib/time/clock.ts'
import { deriveWebhookKey, formatWebhookSecret, openWebhookSecrets } from './request/secrets.ts'
import { deliveryToJson, webhookToJson } from './webhook-json.ts'
import {
  DeliveryAnswer,
  WebhookAnswer,
  WebhookBody,
  WebhookChange,
  WebhookTest,
  WebhookWithSecret,
} from './webhook-schemas.ts'
import {
  changeWebhook,
  createWebhook,
  rotateWebhookSecret,
  testWebhook,
  WEBHOOKS_MAX,
  type WebhookChanges,
  type WebhookTools,
} from './webhooks.ts'
import {
  deleteWebhook,
  findWebhook,
  listWebhooks,
  WEBHOOK_COUNTER,
  type Webhook,
} from './webhooks-queries.ts'

interface Deps {
  config: Config
  db: Db
  clock: Clock
  secret: Buffer
  guard: Guard
}

const { route } = routesOf<Deps>()

const common = { tag: 'Webhooks', permission: 'full', limit: 'general' } as const

function toolsOf({ guard, config, secret }: Deps): WebhookTools {
  return { guard, allowPrivate: config.allowPrivateNetworks, key: deriveWebhookKey(secret) }
}

function webhookWithSecretToJson(webhook: Webhook, { secret, clock }: Deps) {
  const now = clock.now()
  const [newest] = openWebhookSecrets(deriveWebhookKey(secret), webhook, now)
  return { ...webhookToJson(webhook, now), signing_secret: formatWebhookSecret(newest) }
}

/** The URL under whichever of its two names it came. */
function readUrl({ endpoint, url }: { endpoint?: string; url?: string }) {
  return endpoint === undefined ? { url, urlField: 'url' } : { url: endpoint, urlField: 'endpoint' }
}

const postWebhook = route('POST', '/webhooks', {
  ...common,
  operationId: 'createWebhook',
  action: 'webhooks.create',
  summary: 'Create a webhook',
  description: `Events of its types are sent from now on. An account may have ${WEBHOOKS_MAX} webhooks.`,
  body: WebhookBody,
  responses: { 201: { description: 'The new webhook, with its signing secret.', schema: WebhookWithSecret } },
  async handle({ caller, body, audited, deps }) {
    const { url, urlField } = readUrl(body)
    if (url === undefined) throw invalidField('endpoint', 'The endpoint field is required.')
    const input = { url, events: body.events ?? null, description: body.description ?? null }
    const now = deps.clock.now()
    const webhook = await audited.transaction((tx) =>
      createWebhook(tx, toolsOf(deps), caller.teamId, input, now, urlField),
    )
    return { status: 201, json: webhookWithSecretToJson(webhook, deps) }
  },
})

const getWebhooks = route('GET', '/webhooks', {
  ...common,
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  description: 'Newest first. Only `GET /webhooks/{id}` returns signing secrets.',
  query: PageQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(WebhookAnswer) } },
  async handle({ caller, query, deps: { db, clock, config } }) {
    const page = readPage(query)
    const { rows, hasMore } = await listWebhooks(db, caller.teamId, page)
    const total = await readCounter(db, caller.teamId, WEBHOOK_COUNTER)
    const data = rows.map((webhook) => webhookToJson(webhook, clock.now()))
    const list = { publicUrl: config.publicUrl, path: '/webhooks', query, page, total, data, hasMore }
    return { status: 200, json: listToJson(list) }
  },
})

const getWebhook = route('GET', '/webhooks/:id', {
  ...common,
  operationId: 'getWebhook',
  summary: 'Get a webhook',
  description: 'Includes the signing secret.',
  params: IdParams,
  responses: { 200: { description: 'The webhook, with its signing secret.', schema: WebhookWithSecret } },
  async handle({ caller, params, deps }) {
    const webhook = await findWebhook(deps.db, caller.teamId, params.id)
    if (webhook === null) throw new ApiError('not_found')
    const json = webhookWithSecretToJson(webhook, deps)
    return { status: 200, json: mayChange(caller, common.tag) ? json : { ...json, signing_secret: null } }
  },
})

async function putWebhook({
  caller,
  params,
  body,
  audited,
  deps,
}: Request<Static<typeof IdParams>, unknown, Static<typeof WebhookChange>, Deps> & Audited) {
  const { url, urlField } = readUrl(body)
  const changes: WebhookChanges = {}
  if (url !== undefined) changes.url = url
  if (body.events !== undefined) changes.events = body.events
  if (body.description !== undefined) changes.description = body.description
  if (body.status !== undefined) changes.status = body.status === 'enabled' ? 'enabled' : 'disabled'
  const now = deps.clock.now()
  const webhook = await runAgainOnDeadlock(audited, (tx) =>
    changeWebhook(tx, toolsOf(deps), caller.teamId, params.id, changes, now, urlField),
  )
  return { status: 200, json: webhookToJson(webhook, now) }
}

const changing = {
  ...common,
  operationId: 'updateWebhook',
  action: 'webhooks.update',
  summary: 'Update a webhook',
  description:
    'Changes only the fields you send. An enabled webhook receives events from then on; replay the events it missed while disabled.',
  params: IdParams,
  body: WebhookChange,
  responses: { 200: { description: 'The webhook.', schema: WebhookAnswer } },
  handle: putWebhook,
}

const removeWebhook = route('DELETE', '/webhooks/:id', {
  ...common,
  operationId: 'deleteWebhook',
  action: 'webhooks.delete',
  summary: 'Delete a webhook',
  description: 'Sending stops, and its deliveries are deleted.',
  params: IdParams,
  responses: { 200: { description: 'The record was deleted.', schema: Deleted } },
  async handle({ caller, params, audited }) {
    const id = params.id.toLowerCase()
    if (!(await audited.transaction((tx) => deleteWebhook(tx, caller.teamId, id))))
      throw new ApiError('not_found')
    return { status: 200, json: deletedToJson('webhook', id) }
  },
})

const postTest = route('POST', '/webhooks/:id/test', {
  ...common,
  operationId: 'testWebhook',
  action: 'webhooks.test',
  summary: 'Send a test event',
  description:
    'Sends an example event, signed and retried like any other. `GET /webhooks/{id}/deliveries/{deliveryId}` shows the result.',
  params: IdParams,
  body: WebhookTest,
  responses: {
    202: { description: 'The delivery, which is attempted immediately.', schema: DeliveryAnswer },
  },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const delivery = await runAgainOnDeadlock(audited, (tx) =>
      testWebhook(tx, caller.teamId, params.id, body.type ?? null, clock.now()),
    )
    return { status: 202, json: deliveryToJson(delivery) }
  },
})

const rotateSecret = route('POST', '/webhooks/:id/rotate-secret', {
  ...common,
  operationId: 'rotateWebhookSecret',
  action: 'webhooks.rotate-secret',
  summary: 'Rotate a signing secret',
  description:
    'The previous secret signs beside the new one for 24 hours: every request carries both signatures.',
  params: IdParams,
  responses: { 200: { description: 'The webhook, with its new secret.', schema: WebhookWithSecret } },
  async handle({ caller, params, audited, deps }) {
    const key = deriveWebhookKey(deps.secret)
    const webhook = await runAgainOnDeadlock(audited, (tx) =>
      rotateWebhookSecret(tx, key, caller.teamId, params.id, deps.clock.now()),
    )
    return { status: 200, json: webhookWithSecretToJson(webhook, deps) }
  },
})

const patchOne = route('PATCH', '/webhooks/:id', changing)

export const webhookRoutes: readonly Route<Deps>[] = [
  postWebhook,
  getWebhooks,
  getWebhook,
  patchOne,
  aliasOf(patchOne, { method: 'PUT' }),
  removeWebhook,
  postTest,
  rotateSecret,
  aliasOf(rotateSecret, {
    path: '/webhooks/:id/signing-secret/rotate',
    action: 'webhooks.signing-secret.rotate',
    operationId: 'rotateWebhookSigningSecret',
  }),
]
