import { mayChange } from '../access/permissions.ts'
import { runAgainOnDeadlock } from '../db/transactions.ts'
import { Resource, type ResourceDeps } from '../http/route/resource.ts'
import { aliasOf, type Route, routesOf } from '../http/route/route.ts'
import { IdParams } from '../http/route/schemas.ts'
import { invalidField } from '../lib/api-error.ts'
import type { Guard } from '../lib/net/egress-guard.ts'
import { omitUndefined } from '../lib/omit-undefined.ts'
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

const webhooks = new Resource<Webhook, Deps>('/webhooks', 'webhook', {
  area: 'webhooks',
  permission: 'full',
  noun: 'webhook',
  schema: WebhookAnswer,
  toJson: (webhook, { deps: { clock } }) => webhookToJson(webhook, clock.now()),
})

function toolsOf({ guard, config, secret }: Deps): WebhookTools {
  return { guard, allowPrivate: config.allowPrivateNetworks, key: deriveWebhookKey(secret) }
}

function webhookWithSecretToJson(webhook: Webhook, { deps: { secret, clock } }: { deps: Deps }) {
  const now = clock.now()
  const [newest] = openWebhookSecrets(deriveWebhookKey(secret), webhook, now)
  return { ...webhookToJson(webhook, now), signing_secret: formatWebhookSecret(newest) }
}

const WITH_SECRET = {
  response: 'The webhook, with its signing secret.',
  schema: WebhookWithSecret,
  toJson: webhookWithSecretToJson,
}

/** Returns the URL and the name of the field that contained it. */
function readUrl({ endpoint, url }: { endpoint?: string; url?: string }) {
  return endpoint === undefined ? { url, urlField: 'url' } : { url: endpoint, urlField: 'endpoint' }
}

const rotateSecret = webhooks.act('rotate-secret', 'rotateWebhookSecret', 'Rotate a signing secret', {
  ...WITH_SECRET,
  description: 'For 24 hours, every request is signed with the new secret and with the previous one.',
  response: 'The webhook, with its new secret.',
  runsAgain: true,
  act: (tx, teamId, id, now, { deps }) =>
    rotateWebhookSecret(tx, deriveWebhookKey(deps.secret), teamId, id, now),
})

const postTest = route('POST', '/webhooks/:id/test', {
  area: 'webhooks',
  permission: 'full',
  operationId: 'testWebhook',
  action: 'webhooks.test',
  summary: 'Send a test event',
  description:
    'Sends an example event, signed and retried like any other. `GET /webhooks/{id}/deliveries/{deliveryId}` shows the result.',
  params: IdParams,
  body: WebhookTest,
  responses: {
    202: { description: 'The delivery, attempted immediately.', schema: DeliveryAnswer },
  },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const delivery = await runAgainOnDeadlock(audited, (tx) =>
      testWebhook(tx, caller.teamId, params.id, body.type ?? null, clock.now()),
    )
    return { status: 202, json: deliveryToJson(delivery) }
  },
})

export const webhookRoutes: readonly Route<Deps>[] = [
  webhooks.create('createWebhook', 'Create a webhook', {
    ...WITH_SECRET,
    description: `The webhook receives events from now on. A team can have ${WEBHOOKS_MAX} webhooks.`,
    response: 'The new webhook, with its signing secret.',
    body: WebhookBody,
    input(body) {
      const { url, urlField } = readUrl(body)
      if (url === undefined) throw invalidField('endpoint', 'The endpoint field is required.')
      const { events = null, description = null } = body
      return { webhook: { url, events, description }, urlField }
    },
    create: (tx, teamId, { webhook, urlField }, now, { deps }) =>
      createWebhook(tx, toolsOf(deps), teamId, webhook, now, urlField),
  }),
  webhooks.list('listWebhooks', 'List webhooks', {
    description: 'Newest first. Only `GET /webhooks/{id}` returns signing secrets.',
    read: listWebhooks,
    counter: WEBHOOK_COUNTER,
  }),
  webhooks.get('getWebhook', 'Get a webhook', {
    ...WITH_SECRET,
    description: 'Includes the signing secret.',
    read: findWebhook,
    toJson(webhook, request) {
      const json = webhookWithSecretToJson(webhook, request)
      return mayChange(request.caller, 'webhooks') ? json : { ...json, signing_secret: null }
    },
  }),
  ...webhooks.update('updateWebhook', 'Update a webhook', {
    description: 'Changes only the fields you send. You can replay events that it missed while disabled.',
    runsAgain: true,
    body: WebhookChange,
    bodyExtends: 'CreateWebhookRequest',
    input(body) {
      const { url, urlField } = readUrl(body)
      const { events, description, status: newStatus } = body
      const status = newStatus && (newStatus === 'enabled' ? ('enabled' as const) : ('disabled' as const))
      return { changes: omitUndefined({ url, events, description, status }), urlField }
    },
    update: (tx, teamId, id, { changes, urlField }, now, { deps }) =>
      changeWebhook(tx, toolsOf(deps), teamId, id, changes, now, urlField),
  }),
  webhooks.delete('deleteWebhook', 'Delete a webhook', {
    description:
      'Stops sending events to it. Its deliveries are deleted at the end of their retention period.',
    remove: deleteWebhook,
  }),
  postTest,
  rotateSecret,
  aliasOf(rotateSecret, {
    path: '/webhooks/:id/signing-secret/rotate',
    action: 'webhooks.signing-secret.rotate',
    operationId: 'rotateWebhookSigningSecret',
  }),
]
