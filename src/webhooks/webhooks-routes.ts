import type { Static } from 'typebox'
import type { Config } from '../config/config.ts'
import { readCounter } from '../db/counters.ts'
import { type Db, runAgainOnDeadlock } from '../db/db.ts'
import { mayChange } from '../http/auth/permissions.ts'
import { listOf, listToJson, PageQuery, readPage } from '../http/page.ts'
import { deletedToJson } from '../http/present.ts'
import { type Request, type Route, routesOf } from '../http/route.ts'
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
  summary: 'Create a webhook',
  description: `It is told of every event of its kinds from now on. An account may have ${WEBHOOKS_MAX}.`,
  body: WebhookBody,
  responses: { 201: { description: 'The new webhook, with its signing secret.', schema: WebhookWithSecret } },
  async handle({ caller, body, deps }) {
    const { url, urlField } = readUrl(body)
    if (url === undefined) throw invalidField('endpoint', 'The endpoint field is required.')
    const input = { url, events: body.events ?? null, description: body.description ?? null }
    const now = deps.clock.now()
    const webhook = await deps.db.transaction((tx) =>
      createWebhook(tx, toolsOf(deps), caller.teamId, input, now, urlField),
    )
    return { status: 201, json: webhookWithSecretToJson(webhook, deps) }
  },
})

const getWebhooks = route('GET', '/webhooks', {
  ...common,
  summary: 'List webhooks',
  description: 'Signing secrets are shown by `GET /webhooks/{id}` alone.',
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
  summary: 'Read a webhook',
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
  deps,
}: Request<Static<typeof IdParams>, unknown, Static<typeof WebhookChange>, Deps>) {
  const { url, urlField } = readUrl(body)
  const changes: WebhookChanges = {}
  if (url !== undefined) changes.url = url
  if (body.events !== undefined) changes.events = body.events
  if (body.description !== undefined) changes.description = body.description
  if (body.status !== undefined) changes.status = body.status === 'enabled' ? 'enabled' : 'disabled'
  const now = deps.clock.now()
  const webhook = await runAgainOnDeadlock(deps.db, (tx) =>
    changeWebhook(tx, toolsOf(deps), caller.teamId, params.id, changes, now, urlField),
  )
  return { status: 200, json: webhookToJson(webhook, now) }
}

const changing = {
  ...common,
  summary: 'Change a webhook',
  description:
    'Only the fields given change. Enabling a webhook that was disabled begins with what happens from then on: what happened before is sent by a replay.',
  params: IdParams,
  body: WebhookChange,
  responses: { 200: { description: 'The webhook.', schema: WebhookAnswer } },
  handle: putWebhook,
}

const removeWebhook = route('DELETE', '/webhooks/:id', {
  ...common,
  summary: 'Delete a webhook',
  description: 'Nothing is sent to it any more, and its deliveries are gone with it.',
  params: IdParams,
  responses: { 200: { description: 'It is gone.', schema: Deleted } },
  async handle({ caller, params, deps: { db } }) {
    const id = params.id.toLowerCase()
    if (!(await db.transaction((tx) => deleteWebhook(tx, caller.teamId, id)))) throw new ApiError('not_found')
    return { status: 200, json: deletedToJson('webhook', id) }
  },
})

const postTest = route('POST', '/webhooks/:id/test', {
  ...common,
  summary: 'Send a webhook an example',
  description:
    'Sends an example of an event, signed and tried like any other. Whether it arrived is told by `GET /webhooks/{id}/deliveries/{deliveryId}`.',
  params: IdParams,
  body: WebhookTest,
  responses: { 202: { description: 'The delivery, which is tried at once.', schema: DeliveryAnswer } },
  async handle({ caller, params, body, deps: { db, clock } }) {
    const delivery = await runAgainOnDeadlock(db, (tx) =>
      testWebhook(tx, caller.teamId, params.id, body.type ?? null, clock.now()),
    )
    return { status: 202, json: deliveryToJson(delivery) }
  },
})

const rotating = {
  ...common,
  summary: "Replace a webhook's signing secret",
  description:
    'The secret before it goes on signing beside the new one for 24 hours: every request then has both signatures.',
  params: IdParams,
  responses: { 200: { description: 'The webhook, with its new secret.', schema: WebhookWithSecret } },
  async handle({ caller, params, deps }: Request<Static<typeof IdParams>, unknown, unknown, Deps>) {
    const key = deriveWebhookKey(deps.secret)
    const webhook = await runAgainOnDeadlock(deps.db, (tx) =>
      rotateWebhookSecret(tx, key, caller.teamId, params.id, deps.clock.now()),
    )
    return { status: 200, json: webhookWithSecretToJson(webhook, deps) }
  },
}

export const webhookRoutes: readonly Route<Deps>[] = [
  postWebhook,
  getWebhooks,
  getWebhook,
  route('PUT', '/webhooks/:id', changing),
  route('PATCH', '/webhooks/:id', changing),
  removeWebhook,
  postTest,
  route('POST', '/webhooks/:id/rotate-secret', rotating),
  route('POST', '/webhooks/:id/signing-secret/rotate', {
    ...rotating,
    description: 'Same as `POST /webhooks/{id}/rotate-secret`.',
  }),
]
