import { mayChange } from '../access/permissions.ts'
import { runAgainOnDeadlock } from '../db/transactions.ts'
import { type ResourceDeps, resource } from '../http/route/resource.ts'
import { aliasOf, type Route, routesOf } from '../http/route/route.ts'
import { IdParams } from '../http/route/schemas.ts'
import { invalidField } from '../lib/api-error.ts'
import type { Guard } from '../lib/net/egress-guard.ts'
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

interface Deps extends ResourceDeps {
  secret: Buffer
  guard: Guard
}

const { route } = routesOf<Deps>()

const common = { tag: 'Webhooks', permission: 'full', limit: 'general' } as const
const webhooks = resource<Deps>('/webhooks', 'webhook', common)

function toolsOf({ guard, config, secret }: Deps): WebhookTools {
  return { guard, allowPrivate: config.allowPrivateNetworks, key: deriveWebhookKey(secret) }
}

function webhookWithSecretToJson(webhook: Webhook, { secret, clock }: Deps) {
  const now = clock.now()
  const [newest] = openWebhookSecrets(deriveWebhookKey(secret), webhook, now)
  return { ...webhookToJson(webhook, now), signing_secret: formatWebhookSecret(newest) }
}

/** Returns the URL and the name of the field that contained it. */
function readUrl({ endpoint, url }: { endpoint?: string; url?: string }) {
  return endpoint === undefined ? { url, urlField: 'url' } : { url: endpoint, urlField: 'endpoint' }
}

const postWebhook = route('POST', '/webhooks', {
  ...common,
  operationId: 'createWebhook',
  action: 'webhooks.create',
  summary: 'Create a webhook',
  description: `The webhook receives events from now on. A team can have ${WEBHOOKS_MAX} webhooks.`,
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

const getWebhooks = webhooks.list('listWebhooks', 'List webhooks', {
  description: 'Newest first. Only `GET /webhooks/{id}` returns signing secrets.',
  schema: WebhookAnswer,
  read: listWebhooks,
  counter: WEBHOOK_COUNTER,
  toJson: (webhook, { deps: { clock } }) => webhookToJson(webhook, clock.now()),
})

const getWebhook = webhooks.get('getWebhook', 'Get a webhook', {
  description: 'Includes the signing secret.',
  response: { description: 'The webhook, with its signing secret.', schema: WebhookWithSecret },
  read: findWebhook,
  toJson(webhook, { caller, deps }) {
    const json = webhookWithSecretToJson(webhook, deps)
    return mayChange(caller, common.tag) ? json : { ...json, signing_secret: null }
  },
})

const patchWebhook = route('PATCH', '/webhooks/:id', {
  ...common,
  operationId: 'updateWebhook',
  action: 'webhooks.update',
  summary: 'Update a webhook',
  description:
    'Changes only the fields you send. A webhook that you enable receives the events from then on; you can replay earlier ones.',
  params: IdParams,
  body: WebhookChange,
  responses: { 200: { description: 'The webhook.', schema: WebhookAnswer } },
  async handle({ caller, params, body, audited, deps }) {
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
  },
})

const removeWebhook = webhooks.delete('deleteWebhook', 'Delete a webhook', {
  description: 'Stops sending events to it, and deletes its deliveries.',
  remove: deleteWebhook,
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
    'For 24 hours, every request carries two signatures: with the new secret and with the previous one.',
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

export const webhookRoutes: readonly Route<Deps>[] = [
  postWebhook,
  getWebhooks,
  getWebhook,
  patchWebhook,
  aliasOf(patchWebhook, { method: 'PUT' }),
  removeWebhook,
  postTest,
  rotateSecret,
  aliasOf(rotateSecret, {
    path: '/webhooks/:id/signing-secret/rotate',
    action: 'webhooks.signing-secret.rotate',
    operationId: 'rotateWebhookSigningSecret',
  }),
]
