import Type from 'typebox'
import { exampleOf } from '../events/examples.ts'
import {
  IdOrNull,
  IntegerOrNull,
  Text,
  TextOrNull,
  Timestamp,
  TimestampOrNull,
  Uuid,
} from '../http/route/schemas.ts'

const AT = '2026-01-15 09:30:00'
const ID = '0198c0de-0000-7000-8000-0000000000e7'
const URL_EXAMPLE = 'https://shop.example.com/hooks/email'

const WEBHOOK_EXAMPLE = {
  object: 'webhook',
  id: ID,
  endpoint: URL_EXAMPLE,
  url: URL_EXAMPLE,
  events: ['email.delivered', 'email.bounced'],
  description: 'Orders',
  status: 'enabled',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  previous_secret_until: null,
  created_at: AT,
  updated_at: AT,
}

const webhookFields = {
  object: Type.Literal('webhook'),
  id: Uuid,
  endpoint: Text('URL that receives the events.'),
  url: Text('Alias of `endpoint`.'),
  events: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Event types that it receives. Null: all.',
  }),
  description: TextOrNull('A note for your own use.'),
  status: Type.Enum(['enabled', 'disabled']),
  disabled_reason: TextOrNull('Why Sendwright disabled it. Null if a request did.'),
  disabled_at: TimestampOrNull,
  failing_since: Type.Union([Timestamp, Type.Null()], {
    description: 'Since when all attempts have failed. After 5 days, Sendwright disables the webhook.',
  }),
  previous_secret_until: Type.Union([Timestamp, Type.Null()], {
    description: 'Until then, the previous secret signs as well.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const WebhookAnswer = Type.Object(webhookFields, { title: 'Webhook', examples: [WEBHOOK_EXAMPLE] })

export const WebhookWithSecret = Type.Object(
  {
    ...webhookFields,
    signing_secret: TextOrNull(
      'Signing key: `whsec_` and base64. Null for users whose role cannot change webhooks.',
    ),
  },
  {
    title: 'WebhookWithSecret',
    'x-extends': 'Webhook',
    examples: [
      { ...WEBHOOK_EXAMPLE, signing_secret: 'whsec_c2VjcmV0LW9mLXRoZS1zaG9wLW5vdC1hLXJlYWwtb25lIQ==' },
    ],
  },
)

const Url = (what: string) => Type.String({ minLength: 1, maxLength: 2000, description: what })
const Events = Type.Union(
  [Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 100 }), Type.Null()],
  {
    title: 'WebhookEventTypes',
    description: 'Event types: those of `GET /events` except `email.received`. `*`, null, or absent: all.',
  },
)
const Description = Type.Union([Type.String({ maxLength: 255 }), Type.Null()], {
  description: 'A note for your own use.',
})
const webhookInput = {
  endpoint: Type.Optional(
    Url('An https URL without user name, password, or fragment. http only if private networks are allowed.'),
  ),
  url: Type.Optional(Url('Alias of `endpoint`, which takes precedence.')),
  events: Type.Optional(Events),
  description: Type.Optional(Description),
}

export const WebhookBody = Type.Object(webhookInput, {
  examples: [{ endpoint: URL_EXAMPLE, events: ['email.delivered', 'email.bounced'] }],
})

export const WebhookChange = Type.Object(
  {
    ...webhookInput,
    status: Type.Optional(
      Type.Enum(['enabled', 'disabled'], {
        description: 'A webhook that you enable receives the events from then on.',
      }),
    ),
  },
  { examples: [{ status: 'disabled' }] },
)

export const WebhookTest = Type.Object(
  {
    type: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Event type. Default: the first type that the webhook receives.',
      }),
    ),
  },
  { examples: [{ type: 'email.bounced' }] },
)

export const ReplayBody = Type.Object(
  {
    since: Type.String({ description: 'Events at or after this ISO 8601 time.' }),
    until: Type.Optional(Type.String({ description: 'Events before this ISO 8601 time. Default: now.' })),
    types: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Event types. Default: those that the webhook receives.',
      }),
    ),
    only_failed: Type.Optional(
      Type.Boolean({
        description: 'Only events of failed deliveries that were not replayed singly or with `only_failed`.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 36, description: 'The `cursor` of the previous response.' }),
    ),
  },
  { examples: [{ since: '2026-01-15T09:00:00Z', until: '2026-01-15T12:00:00Z' }] },
)

export const ReplayAnswer = Type.Object(
  {
    object: Type.Literal('webhook_replay'),
    webhook_id: Uuid,
    count: Type.Integer({ description: 'Deliveries created.' }),
    has_more: Type.Boolean({
      description: 'Whether more events may follow. If so, repeat the request with `cursor`.',
    }),
    cursor: TextOrNull('Continues the replay. Null: it is complete.'),
  },
  {
    title: 'WebhookReplay',
    examples: [{ object: 'webhook_replay', webhook_id: ID, count: 1200, has_more: false, cursor: null }],
  },
)

const DELIVERY_EXAMPLE = {
  object: 'webhook_delivery',
  id: '0198c0de-0000-7000-8000-0000000000e8',
  webhook_id: ID,
  event_id: '0198c0de-0000-7000-8000-0000000000f2',
  type: 'email.delivered',
  status: 'delivered',
  attempt_count: 1,
  response_status: 200,
  latency_ms: 84,
  next_attempt_at: null,
  replayed_as: null,
  created_at: AT,
  updated_at: AT,
}

const deliveryFields = {
  object: Type.Literal('webhook_delivery'),
  id: Uuid,
  webhook_id: Uuid,
  event_id: IdOrNull('Null for tests and calls by automations.'),
  type: Text('Type of the event.'),
  status: Type.Enum(['waiting', 'delivered', 'failed'], {
    description: '`waiting`: the next attempt is at `next_attempt_at`. `failed`: no attempts are left.',
  }),
  attempt_count: Type.Integer({ description: 'Number of attempts.' }),
  response_status: IntegerOrNull('Status of the last response. Null if there was none.'),
  latency_ms: IntegerOrNull('Duration of the last attempt, in milliseconds.'),
  next_attempt_at: TimestampOrNull,
  replayed_as: IdOrNull('Id of the newer delivery that replays this one.'),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const DeliveryAnswer = Type.Object(deliveryFields, {
  title: 'WebhookDeliverySummary',
  examples: [DELIVERY_EXAMPLE],
})

export const DeliveryWhole = Type.Object(
  {
    ...deliveryFields,
    request: Type.Object({
      method: Type.Literal('POST'),
      url: Text('Current URL of the webhook.'),
      headers: Type.Object(
        {
          'content-type': Text('Always JSON.'),
          'webhook-id': Text('The same in every replay.'),
        },
        { description: 'Headers without the signature and timestamp, which differ in each attempt.' },
      ),
      body: TextOrNull('Body as sent. Null if the event is no longer stored.'),
    }),
    response: Type.Union(
      [
        Type.Object({
          status: IntegerOrNull('Status of the response.'),
          body: TextOrNull('Start of the body, at most 4 KB.'),
        }),
        Type.Null(),
      ],
      { description: 'Last response. Null if there is none yet.' },
    ),
    attempts: Type.Array(
      Type.Object({
        at: Timestamp,
        status: IntegerOrNull('Status of the response. Null if there was none.'),
        latency_ms: Type.Integer({ description: 'Duration in milliseconds.' }),
        error: TextOrNull('Why the attempt failed.'),
      }),
      { description: 'Oldest first.' },
    ),
  },
  {
    title: 'WebhookDelivery',
    'x-extends': 'WebhookDeliverySummary',
    examples: [
      {
        ...DELIVERY_EXAMPLE,
        request: {
          method: 'POST',
          url: URL_EXAMPLE,
          headers: { 'content-type': 'application/json', 'webhook-id': DELIVERY_EXAMPLE.event_id },
          body: JSON.stringify({
            type: 'email.delivered',
            created_at: AT,
            data: { email_id: exampleOf('email.delivered').email_id },
          }),
        },
        response: { status: 200, body: 'ok' },
        attempts: [{ at: AT, status: 200, latency_ms: 84, error: null }],
      },
    ],
  },
)
