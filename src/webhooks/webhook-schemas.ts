import Type from 'typebox'
import { SENT_EVENT_TYPES } from '../events/catalogue.ts'
import { exampleOf } from '../events/examples.ts'
import { IntegerOrNull, Text, TextOrNull, Timestamp, TimestampOrNull, Uuid } from '../http/schemas.ts'

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
  endpoint: Text('Where events are sent to.'),
  url: Text('Same as endpoint.'),
  events: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'The events that it is told of; null: all.',
  }),
  description: TextOrNull('A note for people.'),
  status: Type.Enum(['enabled', 'disabled']),
  disabled_reason: TextOrNull('Why the service switched it off; null when a request did.'),
  disabled_at: TimestampOrNull,
  failing_since: Type.Union([Timestamp, Type.Null()], {
    description: 'Since when no try has succeeded; after 5 days it is switched off.',
  }),
  previous_secret_until: Type.Union([Timestamp, Type.Null()], {
    description: 'Until then the secret before the last rotation signs as well.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const WebhookAnswer = Type.Object(webhookFields, { title: 'Webhook', examples: [WEBHOOK_EXAMPLE] })

export const WebhookWithSecret = Type.Object(
  {
    ...webhookFields,
    signing_secret: TextOrNull(
      'What its requests are signed with: `whsec_` and the key in base64. Null: a user asks whose role may not change webhooks.',
    ),
  },
  {
    title: 'WebhookWithSecret',
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
    description: `Event types, or \`*\`; null or absent: all. Types: ${SENT_EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}.`,
  },
)
const Description = Type.Union([Type.String({ maxLength: 255 }), Type.Null()], {
  description: 'A note for people.',
})
const webhookInput = {
  endpoint: Type.Optional(
    Url(
      'An https URL without user name, password or fragment; http only where private networks are allowed.',
    ),
  ),
  url: Type.Optional(Url('Same as endpoint, for which it is taken when that is absent.')),
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
        description: 'Enabling one that was disabled begins with what happens from then on.',
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
        description: 'The event to send an example of; absent: the first that the webhook is told of.',
      }),
    ),
  },
  { examples: [{ type: 'email.bounced' }] },
)

export const ReplayBody = Type.Object(
  {
    since: Type.String({ description: 'Events at or after: ISO 8601.' }),
    until: Type.Optional(Type.String({ description: 'Events before: ISO 8601; absent: until now.' })),
    types: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Names of events; absent: those that the webhook is told of.',
      }),
    ),
    only_failed: Type.Optional(
      Type.Boolean({ description: 'true: only events whose newest delivery has failed for good.' }),
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 36, description: 'Of the answer to the same request, to go on behind it.' }),
    ),
  },
  { examples: [{ since: '2026-01-15T09:00:00Z', until: '2026-01-15T12:00:00Z' }] },
)

export const ReplayAnswer = Type.Object(
  {
    object: Type.Literal('webhook_replay'),
    webhook_id: Uuid,
    count: Type.Integer({ description: 'How many deliveries this call made.' }),
    has_more: Type.Boolean({ description: 'There may be more: ask again with the cursor.' }),
    cursor: TextOrNull('Where to go on; null: that was all.'),
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
  event_id: Type.Union([Uuid, Type.Null()], { description: 'The event that it tells; null: a test.' }),
  type: Text('The name of the event.'),
  status: Type.Enum(['waiting', 'delivered', 'failed'], {
    description: 'waiting: it is tried as soon as next_attempt_at; failed: not any more.',
  }),
  attempt_count: Type.Integer({ description: 'How often it was tried.' }),
  response_status: IntegerOrNull('The status of the newest answer; null: none came.'),
  latency_ms: IntegerOrNull('How long the newest try took, milliseconds.'),
  next_attempt_at: TimestampOrNull,
  replayed_as: Type.Union([Uuid, Type.Null()], {
    description: 'The newer delivery that was made of it to send it again.',
  }),
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
      url: Text('Where the webhook leads now.'),
      headers: Type.Object(
        { 'content-type': Text('Always JSON.'), 'webhook-id': Text('The id of the event, or of the test.') },
        { description: 'Those that are the same in every try; signature and timestamp are made for each.' },
      ),
      body: TextOrNull('As it is sent; null: the event is not kept any more.'),
    }),
    response: Type.Union(
      [
        Type.Object({
          status: IntegerOrNull('The status of the newest answer.'),
          body: TextOrNull('What it began with, 4 KB at most.'),
        }),
        Type.Null(),
      ],
      { description: 'Null: no answer came yet.' },
    ),
    attempts: Type.Array(
      Type.Object({
        at: Timestamp,
        status: IntegerOrNull('The status of the answer; null: none came.'),
        latency_ms: Type.Integer({ description: 'How long it took, milliseconds.' }),
        error: TextOrNull('Why it did not succeed.'),
      }),
      { description: 'Oldest first.' },
    ),
  },
  {
    title: 'WebhookDelivery',
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
            data: exampleOf('email.delivered'),
          }),
        },
        response: { status: 200, body: 'ok' },
        attempts: [{ at: AT, status: 200, latency_ms: 84, error: null }],
      },
    ],
  },
)
