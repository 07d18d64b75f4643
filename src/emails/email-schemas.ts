import Type from 'typebox'
import { EmailEvent } from '../events/event-schemas.ts'
import { EXAMPLES } from '../events/example-values.ts'
import { IntegerOrNull, Text, TextOrNull, Timestamp, TimestampOrNull, Uuid } from '../http/schemas.ts'
import { VariableValues } from '../templates/template-schemas.ts'

const RECIPIENT_STATUSES = [
  ...['scheduled', 'queued', 'sent', 'delivered', 'delivery_delayed'],
  ...['bounced', 'failed', 'suppressed', 'canceled', 'rejected'],
]
/** Of an email as a whole. */
export const STATUSES = [...RECIPIENT_STATUSES, 'partially_delivered']

const ADDRESS_DESCRIPTION =
  'An address of at most 254 characters, with or without a display name: `Ann <ann@example.com>`.'
const Addresses = (itemsMax: number, description: string, ...others: ReturnType<typeof Type.Null>[]) =>
  Type.Union(
    [
      Type.String({ maxLength: 2000 }),
      Type.Array(Type.String({ maxLength: 2000 }), { maxItems: itemsMax }),
      ...others,
    ],
    { description: `${description} One address or up to ${itemsMax}, each with or without a display name.` },
  )

const AttachmentInput = Type.Object(
  {
    filename: Type.Optional(
      Type.String({ maxLength: 2000, description: 'The file name. Only its base name is used.' }),
    ),
    content: Type.Optional(
      Type.Union(
        [
          Type.String(),
          Type.Object({
            type: Type.Literal('Buffer', { description: 'The JSON form of a Node.js Buffer.' }),
            // Judged where it is decoded: a walk over millions of numbers has no place here.
            data: Type.Array(Type.Unknown(), { description: 'The bytes, as integers from 0 to 255.' }),
          }),
        ],
        {
          description:
            'The file, unless `path` is given: base64 (RFC 4648; padding optional, white space ignored) or a Buffer.',
        },
      ),
    ),
    path: Type.Optional(
      Type.String({
        maxLength: 2048,
        description:
          'An http(s) URL that the server fetches at acceptance, within 15 s each and 60 s per request. Redirects are not followed.',
      }),
    ),
    content_type: Type.Optional(
      Type.String({ maxLength: 255, description: 'The media type. Default: from the file name.' }),
    ),
    content_id: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Makes it an inline image, which HTML shows as `cid:` and this id.',
      }),
    ),
  },
  { title: 'AttachmentInput' },
)

const orNull = (schema: ReturnType<typeof Type.String>, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const TagText = Type.String({ description: '1 to 256 letters, digits, `_` and `-`.' })

export const SendInput = Type.Object(
  {
    from: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: `The sender, on a verified domain. Required unless a template provides it. ${ADDRESS_DESCRIPTION}`,
      }),
    ),
    // Accepts null here so that validation reports it as a missing field, together with all other errors.
    to: Type.Optional(Addresses(50, 'Duplicate addresses receive one copy.', Type.Null())),
    cc: Type.Optional(
      Addresses(150, 'Visible to all recipients. At most 150 recipients in `to`, `cc`, and `bcc` together.'),
    ),
    bcc: Type.Optional(Addresses(150, 'Not visible in any copy of the message.')),
    reply_to: Type.Optional(Addresses(50, 'Where replies go. Overrides the template and its sender.')),
    subject: Type.Optional(
      Type.String({
        maxLength: 998,
        description: 'Required unless a template provides it. Overrides the template.',
      }),
    ),
    html: Type.Optional(
      orNull(
        Type.String({ 'x-nul': true }),
        'Required unless `text` or a template is given. Overrides the template. Empty: the email has no HTML part.',
      ),
    ),
    text: Type.Optional(
      orNull(
        Type.String({ 'x-nul': true }),
        'Overrides the template. Derived from `html` when absent. Empty with `html`: the email has no text part.',
      ),
    ),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          'Custom header fields. Fields that the service sets return 422; `Return-Path` and `Date` are dropped, and `Message-ID` is sent as `X-Original-Message-ID`.',
      }),
    ),
    tags: Type.Optional(
      Type.Array(Type.Object({ name: TagText, value: TagText }), {
        maxItems: 20,
        description: 'For your own filters. Never sent to recipients.',
      }),
    ),
    scheduled_at: Type.Optional(
      orNull(Type.String(), 'When to send: ISO 8601, UTC without an offset, at most 365 days ahead.'),
    ),
    attachments: Type.Optional(
      Type.Array(AttachmentInput, {
        maxItems: 10,
        description: 'The complete message may have at most 37,500,000 bytes.',
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
            'Provides `from`, `subject`, `html`, `text`, and `reply_to` where the request leaves them out, field by field. Fields in the request are literal: `{{KEY}}` in them is text.',
        },
      ),
    ),
    unsubscribe: Type.Optional(
      Type.Object(
        {
          list_id: Type.Optional(Type.String({ format: 'uuid', description: 'A list of the account.' })),
          topic: Type.Optional(
            Type.String({
              maxLength: 200,
              description: 'A name that readers see, 1 to 100 characters, such as `Product news`.',
            }),
          ),
        },
        {
          description:
            'For subscription email to one recipient: the list or topic to unsubscribe from. Adds one-click List-Unsubscribe (RFC 8058). Recipients who unsubscribed get no more email with the same list or topic.',
        },
      ),
    ),
  },
  {
    title: 'SendEmailRequest',
    // The handler reports a missing `to` itself, together with all other errors.
    'x-required': ['to'],
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

export const Accepted = Type.Object({ id: Uuid }, { title: 'AcceptedEmail', examples: [EXAMPLES.accepted] })
/** Request headers of what accepts emails. */
export const IDEMPOTENCY_HEADERS = {
  'Idempotency-Key':
    '1 to 256 printable ASCII characters, kept for 24 hours per team. The same key and body return the first response again; a different body returns 409.',
}

export const EmailRef = Type.Object(
  { object: Type.Literal('email'), id: Uuid },
  { title: 'EmailRef', examples: [EXAMPLES.emailRef] },
)

const DomainRef = Type.Object(
  {
    id: Uuid,
    name: TextOrNull('Null after the domain is deleted.'),
  },
  { title: 'DomainRef' },
)

const TemplateRef = Type.Object(
  { id: Uuid, name: Text('The name of the template when the email was accepted.') },
  { title: 'TemplateRef', description: 'The template, as it was at acceptance.' },
)

const Addressees = (description: string) => Type.Array(Type.String(), { description })

const summaryFields = {
  object: Type.Literal('email'),
  id: Uuid,
  message_id: Text('The Message-ID.'),
  from: Text('The sender, with its display name.'),
  to: Addressees('As given, without duplicates.'),
  cc: Addressees('As given, without duplicates.'),
  bcc: Addressees('As given, without duplicates. Not visible in any copy.'),
  reply_to: Addressees('Where replies go. Empty: to the sender.'),
  subject: Text('The subject.'),
  tags: Type.Array(Type.Object({ name: TagText, value: TagText })),
  status: Type.Enum(STATUSES, {
    description:
      '`queued` or `delivery_delayed` while any recipient is undecided; then the status of all recipients, or `partially_delivered`.',
  }),
  last_event: Text('The newest event without `email.`, such as `delivered`.'),
  domain: DomainRef,
  template: Type.Union([TemplateRef, Type.Null()]),
  scheduled_at: TimestampOrNull,
  sent_at: TimestampOrNull,
  created_at: Timestamp,
}

export const EmailSummary = Type.Object(summaryFields, {
  title: 'EmailSummary',
  examples: [EXAMPLES.emailSummary],
})

export const EmailWhole = Type.Object(
  {
    ...summaryFields,
    html: TextOrNull('Null when the message has none.'),
    text: TextOrNull('Null when the message has none.'),
    headers: Type.Record(Type.String(), Type.String(), { description: 'Custom headers, as given.' }),
    attachments: Type.Array(
      Type.Object({
        filename: Text('The file name.'),
        content_type: Text('The media type.'),
        content_id: TextOrNull('The id of an inline image.'),
        size: Type.Integer({ description: 'Size in bytes.' }),
      }),
    ),
    content_expired: Type.Boolean({
      description:
        'True when the content is no longer stored: `html` and `text` are null, `headers` and `attachments` empty.',
    }),
    recipients: Type.Array(
      Type.Object({
        email: Text('The address, without a display name.'),
        type: Type.Enum(['to', 'cc', 'bcc']),
        status: Type.Enum(RECIPIENT_STATUSES, {
          description:
            '`delivered`: the recipient server accepted it. `sent`: a relay accepted it. `bounced`, `rejected` (for its content), and `failed` (expired, or a fault of the service) are final. A later DSN can turn `delivered` or `sent` into these.',
        }),
        smtp_code: IntegerOrNull('From the last reply.'),
        enhanced_code: TextOrNull('From the last reply (RFC 3463).'),
        response: TextOrNull('The text of the last reply, or why there was none.'),
        category: TextOrNull('The reason as a keyword: `accepted`, `no_such_address`, `mailbox_full`, ...'),
        advice: TextOrNull(
          'What happened and what to do, for people. Null: nothing to report yet. The wording may change; programs use `category`.',
        ),
        mx_host: TextOrNull('The server that sent it.'),
        attempts: Type.Integer({ description: 'Number of delivery attempts.' }),
        next_attempt_at: TimestampOrNull,
        updated_at: Timestamp,
      }),
    ),
    events: Type.Array(EmailEvent),
  },
  { title: 'Email', examples: [EXAMPLES.email] },
)

export const Attempt = Type.Object(
  {
    recipient: Text('The address.'),
    attempt: Type.Integer({ description: 'Number of the attempt for this recipient, from 1.' }),
    started_at: Timestamp,
    duration_ms: Type.Integer({ description: 'Duration in milliseconds.' }),
    outcome: Text('The outcome: delivered, deferred, bounced, rejected, or failed.'),
    category: Text('The reason as a keyword: `accepted`, `no_such_address`, `mailbox_full`, ...'),
    advice: TextOrNull(
      'The outcome and its reason, for people. The wording may change; programs use `category`.',
    ),
    smtp_code: IntegerOrNull('From the deciding reply; null when there was none.'),
    enhanced_code: TextOrNull('From the deciding reply (RFC 3463).'),
    response: TextOrNull('The text of the deciding reply, or why there was none.'),
    mx_host: TextOrNull('The server.'),
    mx_address: TextOrNull('The IP address of the server.'),
    source_address: TextOrNull('The local IP address of the connection.'),
    tls: TextOrNull(
      'Version, cipher and how the certificate was verified (`dane`, `mta-sts`, `enforced`, `verified`, `unverified (...)`), ' +
        'or `none (...)` and why; null: no conversation that wanted TLS.',
    ),
    conversation: Type.Array(
      Type.Object({
        at_ms: Type.Integer({ description: 'Milliseconds since the attempt started.' }),
        who: Type.Enum(['client', 'server', 'note']),
        text: Text('One line of the transcript, without the message itself.'),
      }),
    ),
  },
  { title: 'Attempt', examples: [EXAMPLES.attempt] },
)
