import Type from 'typebox'
import { EXAMPLES } from './examples.ts'
import { Timestamp, TimestampOrNull, Uuid } from './schemas.ts'
import { VariableValues } from './schemas-template.ts'

const ADDRESS_DESCRIPTION = 'An address, with or without a display name: `Ann <ann@example.com>`.'
const Addresses = (itemsMax: number, description: string) =>
  Type.Union(
    [Type.String({ maxLength: 2000 }), Type.Array(Type.String({ maxLength: 2000 }), { maxItems: itemsMax })],
    { description: `${description} One address or up to ${itemsMax}, each with or without a display name.` },
  )

const AttachmentInput = Type.Object({
  filename: Type.Optional(Type.String({ maxLength: 2000, description: 'Its base name is taken.' })),
  content: Type.Optional(
    Type.Union([
      Type.String({ description: 'Base64.' }),
      Type.Object({
        type: Type.Literal('Buffer'),
        // Judged where it is decoded: a walk over millions of numbers has no place here.
        data: Type.Array(Type.Unknown()),
      }),
    ]),
  ),
  path: Type.Optional(
    Type.String({ maxLength: 2048, description: 'An http(s) URL, fetched at acceptance.' }),
  ),
  content_type: Type.Optional(Type.String({ maxLength: 255 })),
  content_id: Type.Optional(
    Type.String({ maxLength: 200, description: 'Makes it an inline image: `cid:` of it.' }),
  ),
})

const orNull = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()])

export const SendInput = Type.Object(
  {
    from: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: `Required without a template, whose sender it overrides. Of a verified domain. ${ADDRESS_DESCRIPTION}`,
      }),
    ),
    to: Type.Optional(Addresses(50, 'Required. The same address twice is sent once.')),
    cc: Type.Optional(Addresses(150, 'Shown to all; to, cc and bcc together at most 150.')),
    bcc: Type.Optional(Addresses(150, 'In no copy of the message.')),
    reply_to: Type.Optional(Addresses(50, 'Where answers go. Overrides that of a template and its sender.')),
    subject: Type.Optional(
      Type.String({
        maxLength: 998,
        description: 'Required without a template, whose subject it overrides.',
      }),
    ),
    html: Type.Optional(
      orNull(
        Type.String({
          'x-nul': true,
          description: 'Required when text is absent and without a template, whose html it overrides.',
        }),
      ),
    ),
    text: Type.Optional(
      orNull(
        Type.String({
          'x-nul': true,
          description:
            'Overrides the text of a template. Derived from html when absent; empty: no text part.',
        }),
      ),
    ),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Custom header fields; those that the service sets itself are refused.',
      }),
    ),
    tags: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
        maxItems: 20,
        description: 'For your own filters, never sent. Letters, digits, `_` and `-`, at most 256 of them.',
      }),
    ),
    scheduled_at: Type.Optional(
      orNull(Type.String({ description: 'ISO 8601, UTC without an offset, at most 365 days ahead.' })),
    ),
    attachments: Type.Optional(
      Type.Array(AttachmentInput, {
        maxItems: 10,
        description: 'The built message has at most 37,500,000 bytes.',
      }),
    ),
    template: Type.Optional(
      Type.Object(
        {
          id: Type.String({
            minLength: 1,
            maxLength: 255,
            description: 'Id or alias of a published template of the account.',
          }),
          variables: Type.Optional(VariableValues),
        },
        {
          description:
            'Gives what from, subject, html, text and reply_to leave open, each field by itself: an html given here goes with the text of the template. Fields given here are taken literally; `{{KEY}}` in them is text.',
        },
      ),
    ),
  },
  {
    examples: [
      {
        from: 'Acme <hello@example.com>',
        to: ['delivered@simulator.test'],
        subject: 'Hello',
        html: '<p>It works.</p>',
      },
    ],
  },
)

export const Accepted = Type.Object({ id: Uuid }, { examples: [EXAMPLES.accepted] })
/** Request headers of what accepts emails. */
export const IDEMPOTENCY_HEADERS = {
  'Idempotency-Key':
    '1 to 256 printable ASCII characters, kept for 24 hours a team: the same key and body give the first answer again, another body is 409.',
}

export const EmailRef = Type.Object(
  { object: Type.Literal('email'), id: Uuid },
  { examples: [EXAMPLES.emailRef] },
)

const Tag = Type.Object({ name: Type.String(), value: Type.String() })
const DomainRef = Type.Object({ id: Uuid, name: Type.Union([Type.String(), Type.Null()]) })

const TemplateRef = Type.Object(
  { id: Uuid, name: Type.String() },
  { description: 'What it was made from, as of its acceptance.' },
)

const summaryFields = {
  object: Type.Literal('email'),
  id: Uuid,
  message_id: Type.String(),
  from: Type.String(),
  to: Type.Array(Type.String()),
  cc: Type.Array(Type.String()),
  bcc: Type.Array(Type.String()),
  reply_to: Type.Array(Type.String()),
  subject: Type.String(),
  tags: Type.Array(Tag),
  status: Type.String(),
  last_event: Type.String(),
  domain: DomainRef,
  template: Type.Union([TemplateRef, Type.Null()]),
  scheduled_at: TimestampOrNull,
  sent_at: TimestampOrNull,
  created_at: Timestamp,
}

export const EmailSummary = Type.Object(summaryFields, { examples: [EXAMPLES.emailSummary] })

export const EmailWhole = Type.Object(
  {
    ...summaryFields,
    html: Type.Union([Type.String(), Type.Null()]),
    text: Type.Union([Type.String(), Type.Null()]),
    headers: Type.Record(Type.String(), Type.String()),
    attachments: Type.Array(
      Type.Object({
        filename: Type.String(),
        content_type: Type.String(),
        content_id: Type.Union([Type.String(), Type.Null()]),
        size: Type.Integer(),
      }),
    ),
    recipients: Type.Array(
      Type.Object({
        email: Type.String(),
        type: Type.Enum(['to', 'cc', 'bcc']),
        status: Type.String(),
        smtp_code: Type.Union([Type.Integer(), Type.Null()]),
        enhanced_code: Type.Union([Type.String(), Type.Null()]),
        response: Type.Union([Type.String(), Type.Null()]),
        category: Type.Union([Type.String(), Type.Null()]),
        mx_host: Type.Union([Type.String(), Type.Null()]),
        attempts: Type.Integer(),
        next_attempt_at: TimestampOrNull,
        updated_at: Timestamp,
      }),
    ),
    events: Type.Array(
      Type.Object({
        id: Uuid,
        type: Type.String(),
        created_at: Timestamp,
        data: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
  },
  { examples: [EXAMPLES.email] },
)

export const Attempt = Type.Object(
  {
    recipient: Type.String(),
    attempt: Type.Integer(),
    started_at: Timestamp,
    duration_ms: Type.Integer(),
    outcome: Type.String(),
    category: Type.String(),
    smtp_code: Type.Union([Type.Integer(), Type.Null()]),
    enhanced_code: Type.Union([Type.String(), Type.Null()]),
    response: Type.Union([Type.String(), Type.Null()]),
    mx_host: Type.Union([Type.String(), Type.Null()]),
    mx_address: Type.Union([Type.String(), Type.Null()]),
    tls: Type.Union([Type.String(), Type.Null()]),
    conversation: Type.Array(
      Type.Object({
        at_ms: Type.Integer(),
        who: Type.Enum(['client', 'server', 'note']),
        text: Type.String(),
      }),
    ),
  },
  { examples: [EXAMPLES.attempt] },
)
