import Type from 'typebox'
import { EmailEvent } from '../../events/event-schemas.ts'
import { EXAMPLES } from '../../events/example-values.ts'
import {
  IntegerOrNull,
  Text,
  TextOrNull,
  Timestamp,
  TimestampOrNull,
  Uuid,
} from '../../http/route/schemas.ts'
import { MAIL_CLASSES } from '../../queue/mail-class.ts'
import { VariableValues } from '../../templates/template-schemas.ts'

const RECIPIENT_STATUSES = [
  ...['scheduled', 'queued', 'sent', 'delivered', 'delivery_delayed'],
  ...['bounced', 'failed', 'suppressed', 'canceled', 'rejected'],
]
/** The status of an email as a whole. */
export const STATUSES = [...RECIPIENT_STATUSES, 'partially_delivered']

const ADDRESS_DESCRIPTION = 'At most 254 characters, with an optional display name: `Ann <ann@example.com>`.'
const Addresses = (itemsMax: number, description: string) =>
  Type.Union(
    [Type.String({ maxLength: 2000 }), Type.Array(Type.String({ maxLength: 2000 }), { maxItems: itemsMax })],
    { 'x-blank': true, description: `${description} One address or up to ${itemsMax}.` },
  )

const AttachmentInput = Type.Object(
  {
    filename: Type.Optional(
      Type.String({
        'x-blank': true,
        maxLength: 2000,
        description: 'File name. Only its base name is used.',
      }),
    ),
    content: Type.Optional(
      Type.Union(
        [
          Type.String(),
          Type.Object({
            type: Type.Literal('Buffer', { description: 'JSON form of a Node.js Buffer.' }),
            // Validated where it is decoded: the shape check must not walk over millions of numbers.
            data: Type.Array(Type.Unknown(), { description: 'The bytes, as integers from 0 to 255.' }),
          }),
        ],
        {
          description:
            'Content: base64 (RFC 4648; padding is optional, white space is ignored) or a Buffer. Required unless `path` is given.',
        },
      ),
    ),
    path: Type.Optional(
      Type.String({
        'x-blank': true,
        maxLength: 2048,
        description:
          'An http(s) URL that the server fetches at acceptance, within 15 s per file and 60 s per request. Up to five redirects are followed.',
      }),
    ),
    content_type: Type.Optional(
      Type.String({
        'x-blank': true,
        maxLength: 255,
        description: 'Media type. Default: derived from the file name.',
      }),
    ),
    content_id: Type.Optional(
      Type.String({
        'x-blank': true,
        maxLength: 200,
        description: 'Makes the attachment an inline image. HTML refers to it as `cid:` and this id.',
      }),
    ),
  },
  { title: 'AttachmentInput' },
)

const orNull = (schema: ReturnType<typeof Type.String>, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const ClassInput = Type.Optional(
  Type.Enum([...MAIL_CLASSES], {
    description: 'Default: `transactional`, which goes before bulk mail.',
  }),
)

const FieldValues = Type.Union([
  Type.String(),
  Type.Array(Type.String(), { maxItems: 100, description: 'One field each.' }),
])

const TagName = Type.String({ description: '1 to 256 characters.' })
const TagValue = Type.String({ description: 'Up to 256 characters.' })

export const SendInput = Type.Object(
  {
    from: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: `The sender, at a verified domain. Required unless a template provides it. ${ADDRESS_DESCRIPTION}`,
      }),
    ),
    to: Type.Optional(
      Addresses(
        50,
        'The recipients. Required unless `cc` or `bcc` is given. A duplicate address receives one copy.',
      ),
    ),
    cc: Type.Optional(
      Addresses(
        150,
        'Recipients of a copy, visible to all. At most 150 recipients in `to`, `cc`, and `bcc` together.',
      ),
    ),
    bcc: Type.Optional(Addresses(150, 'Hidden recipients: no copy of the message shows them.')),
    reply_to: Type.Optional(Addresses(50, 'Reply addresses. Override those of the template and its sender.')),
    subject: Type.Optional(
      Type.String({
        maxLength: 998,
        description: 'Subject. Required unless a template provides it. Overrides the template.',
      }),
    ),
    html: Type.Optional(
      orNull(
        Type.String({ 'x-nul': true }),
        'HTML part. Required unless `text` or a template is given. Overrides the template. If empty, the email has no HTML part.',
      ),
    ),
    text: Type.Optional(
      orNull(
        Type.String({ 'x-nul': true }),
        'Text part. Default: derived from `html`. Overrides the template. If empty and `html` is given, the email has no text part.',
      ),
    ),
    headers: Type.Optional(
      Type.Record(Type.String(), FieldValues, {
        'x-blank': true,
        description:
          'Custom header fields. Fields that Sendwright sets return 422. `Return-Path` and `Date` are removed. An unused `Message-ID` at a verified domain is kept; others become `X-Original-Message-ID`.',
      }),
    ),
    tags: Type.Optional(
      Type.Array(
        Type.Union([Type.Object({ name: TagName, value: Type.Optional(TagValue) }), Type.String()]),
        {
          'x-blank': true,
          maxItems: 20,
          description:
            'For filters and metrics, never sent. A string is the name of a tag with an empty value.',
        },
      ),
    ),
    scheduled_at: Type.Optional(
      orNull(
        Type.String(),
        'When to send, in ISO 8601. UTC unless it has an offset; at most 365 days ahead.',
      ),
    ),
    attachments: Type.Optional(
      Type.Array(AttachmentInput, {
        'x-blank': true,
        maxItems: 10,
        description: 'Attached files. The complete message can have at most 37,500,000 bytes.',
      }),
    ),
    template: Type.Optional(
      Type.Object(
        {
          id: Type.String({
            minLength: 1,
            maxLength: 255,
            description: 'Id or alias of a published template.',
          }),
          variables: Type.Optional(VariableValues),
        },
        {
          description:
            'Provides each of `from`, `subject`, `html`, `text`, and `reply_to` that the request omits. Fields in the request are literal: `{{KEY}}` in them is text.',
        },
      ),
    ),
    class: ClassInput,
    unsubscribe: Type.Optional(
      Type.Object(
        {
          list_id: Type.Optional(Type.String({ format: 'uuid', description: 'Id of the list.' })),
          topic: Type.Optional(
            Type.String({
              maxLength: 200,
              description:
                'Name of the topic, as readers see it: 1 to 100 characters, such as `Product news`.',
            }),
          ),
        },
        {
          description:
            'The list or topic that the recipient can leave by one-click List-Unsubscribe (RFC 8058). The email must have a single recipient. Recipients who unsubscribed get no more email of the same list or topic.',
        },
      ),
    ),
  },
  {
    title: 'SendEmailRequest',
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
/** The request headers of routes that accept emails. */
export const IDEMPOTENCY_HEADERS = {
  'Idempotency-Key':
    'Makes retries safe: 1 to 256 printable ASCII characters, stored for 24 hours per team. The same key and body return the first response; another body returns 409.',
}

export const EmailRef = Type.Object(
  { object: Type.Literal('email'), id: Uuid },
  { title: 'EmailRef', examples: [EXAMPLES.emailRef] },
)

const DomainRef = Type.Object(
  {
    id: Uuid,
    name: TextOrNull('Null if the domain was deleted.'),
  },
  { title: 'DomainRef' },
)

const TemplateRef = Type.Object(
  { id: Uuid, name: Text('Its name when the email was accepted.') },
  { title: 'TemplateRef', description: 'Template that the email was rendered from.' },
)

const Addressees = (description: string) => Type.Array(Type.String(), { description })

const summaryFields = {
  object: Type.Literal('email'),
  id: Uuid,
  message_id: Text('Message-ID.'),
  from: Text('Sender, with the display name.'),
  to: Addressees('As given, without duplicates.'),
  cc: Addressees('As given, without duplicates.'),
  bcc: Addressees('As given, without duplicates.'),
  reply_to: Addressees('Reply addresses. Empty: replies go to the sender.'),
  subject: Text('Subject.'),
  tags: Type.Array(Type.Object({ name: TagName, value: TagValue })),
  status: Type.Enum(STATUSES, {
    description:
      '`queued` or `delivery_delayed` until each recipient has a result. Then the status of all recipients, or `partially_delivered` if they differ.',
  }),
  last_event: Text('Type of the newest event without `email.`, such as `delivered`.'),
  class: Type.Enum([...MAIL_CLASSES]),
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
    html: TextOrNull('Null if there is none.'),
    text: TextOrNull('Null if there is none.'),
    headers: Type.Record(Type.String(), FieldValues, { description: 'Custom header fields.' }),
    attachments: Type.Array(
      Type.Object(
        {
          filename: Text('File name.'),
          content_type: Text('Media type.'),
          content_id: TextOrNull('Id of an inline image.'),
          size: Type.Integer({ description: 'Size in bytes.' }),
        },
        { title: 'AttachmentSummary' },
      ),
    ),
    content_expired: Type.Boolean({
      description:
        'The content is no longer stored: `html` and `text` are null, `headers` and `attachments` empty.',
    }),
    recipients: Type.Array(
      Type.Object({
        email: Text('Address, without a display name.'),
        type: Type.Enum(['to', 'cc', 'bcc']),
        status: Type.Enum(RECIPIENT_STATUSES, {
          description:
            '`delivered`: the server of the recipient accepted the email. `sent`: a relay accepted it. `bounced`, `rejected` (because of the content), and `failed` (lifetime over, or a fault of Sendwright) are final. A later DSN can change `delivered` or `sent` to one of these.',
        }),
        smtp_code: IntegerOrNull('SMTP code of the last reply.'),
        enhanced_code: TextOrNull('Enhanced status code of the last reply (RFC 3463).'),
        response: TextOrNull('Text of the last reply, or why there was none.'),
        category: TextOrNull('Reason as an identifier: `accepted`, `no_such_address`, `mailbox_full`, ...'),
        advice: TextOrNull(
          'Explanation and recommended action, for people. Programs use `category`. Null if there is nothing to report yet.',
        ),
        mx_host: TextOrNull('Host that sent the last reply.'),
        attempts: Type.Integer({ description: 'Delivery attempts.' }),
        next_attempt_at: TimestampOrNull,
        updated_at: Timestamp,
      }),
    ),
    events: Type.Array(EmailEvent),
  },
  { title: 'Email', 'x-extends': 'EmailSummary', examples: [EXAMPLES.email] },
)

export const EmailAttempt = Type.Object(
  {
    recipient: Text('Address of the recipient.'),
    attempt: Type.Integer({ description: 'Number of the attempt for this recipient, from 1.' }),
    started_at: Timestamp,
    duration_ms: Type.Integer({ description: 'Duration in milliseconds.' }),
    outcome: Text('`delivered`, `deferred`, `bounced`, `rejected`, or `failed`.'),
    category: Text('Reason as an identifier: `accepted`, `no_such_address`, `mailbox_full`, ...'),
    advice: TextOrNull('Explanation and recommended action, for people. Programs use `category`.'),
    smtp_code: IntegerOrNull('SMTP code of the deciding reply, if any.'),
    enhanced_code: TextOrNull('Enhanced status code of the deciding reply (RFC 3463).'),
    response: TextOrNull('Text of the deciding reply, or why there was none.'),
    mx_host: TextOrNull('Host name of the server.'),
    mx_address: TextOrNull('IP address of the server.'),
    source_address: TextOrNull('Local IP address of the connection.'),
    tls: TextOrNull(
      'TLS version, cipher, and how the certificate was verified (`dane`, `mta-sts`, `enforced`, `verified`, `unverified (...)`), ' +
        'or `none (...)` with the reason. Null if TLS was not attempted.',
    ),
    conversation: Type.Array(
      Type.Object({
        at_ms: Type.Integer({ description: 'Milliseconds into the attempt.' }),
        who: Type.Enum(['client', 'server', 'note']),
        text: Text('One line of the transcript, without the message itself.'),
      }),
    ),
  },
  { title: 'Attempt', examples: [EXAMPLES.attempt] },
)
