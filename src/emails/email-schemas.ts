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
    filename: Type.Optional(Type.String({ maxLength: 2000, description: 'Its base name is taken.' })),
    content: Type.Optional(
      Type.Union(
        [
          Type.String(),
          Type.Object({
            type: Type.Literal('Buffer', { description: 'As JSON writes a Buffer of Node.js.' }),
            // Judged where it is decoded: a walk over millions of numbers has no place here.
            data: Type.Array(Type.Unknown(), { description: 'Its bytes, each a whole number of 0 to 255.' }),
          }),
        ],
        {
          description:
            'The file, in place of path: base64 (RFC 4648, padding optional, white space ignored), or a Buffer.',
        },
      ),
    ),
    path: Type.Optional(
      Type.String({
        maxLength: 2048,
        description:
          'An http(s) URL, fetched at acceptance: each within 15 s, all of a request within 60 s. Redirects are not followed.',
      }),
    ),
    content_type: Type.Optional(
      Type.String({ maxLength: 255, description: 'A media type; by default that of the file name.' }),
    ),
    content_id: Type.Optional(
      Type.String({ maxLength: 200, description: 'Makes it an inline image: `cid:` of it.' }),
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
        description: `Required without a template, whose sender it overrides. Of a verified domain. ${ADDRESS_DESCRIPTION}`,
      }),
    ),
    // Accepts null here so that validation reports it as a missing field, together with all other errors.
    to: Type.Optional(Addresses(50, 'Required. The same address twice is sent once.', Type.Null())),
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
        Type.String({ 'x-nul': true }),
        'Required when text is absent and without a template, whose html it overrides. Empty: the email has no html part.',
      ),
    ),
    text: Type.Optional(
      orNull(
        Type.String({ 'x-nul': true }),
        'Overrides the text of a template. Derived from html when absent. Empty, with html: the email has no text part.',
      ),
    ),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          'Custom header fields. Fields that the service sets return 422, except that `Return-Path` and `Date` are dropped and `Message-ID` is sent as `X-Original-Message-ID`.',
      }),
    ),
    tags: Type.Optional(
      Type.Array(Type.Object({ name: TagText, value: TagText }), {
        maxItems: 20,
        description: 'For your own filters, never sent.',
      }),
    ),
    scheduled_at: Type.Optional(
      orNull(Type.String(), 'ISO 8601, UTC without an offset; in the future, at most 365 days ahead.'),
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
    unsubscribe: Type.Optional(
      Type.Object(
        {
          list_id: Type.Optional(Type.String({ format: 'uuid', description: 'A list of the account.' })),
          topic: Type.Optional(
            Type.String({
              maxLength: 200,
              description: 'A name that readers will see, 1 to 100 characters: `Product news`.',
            }),
          ),
        },
        {
          description:
            'For mail that people subscribe to, to one recipient: what that recipient can unsubscribe from, a list or a topic. Adds List-Unsubscribe with one click (RFC 8058); whoever has unsubscribed gets no more emails with the same list or topic.',
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
    '1 to 256 printable ASCII characters, kept for 24 hours a team: the same key and body give the first answer again, another body is 409.',
}

export const EmailRef = Type.Object(
  { object: Type.Literal('email'), id: Uuid },
  { title: 'EmailRef', examples: [EXAMPLES.emailRef] },
)

const DomainRef = Type.Object(
  {
    id: Uuid,
    name: TextOrNull('Null once the domain is deleted.'),
  },
  { title: 'DomainRef' },
)

const TemplateRef = Type.Object(
  { id: Uuid, name: Text('What it was called when the email was accepted.') },
  { title: 'TemplateRef', description: 'What it was made from, as of its acceptance.' },
)

const Addressees = (description: string) => Type.Array(Type.String(), { description })

const summaryFields = {
  object: Type.Literal('email'),
  id: Uuid,
  message_id: Text('The Message-ID of the message.'),
  from: Text('The sender, with the display name that was given.'),
  to: Addressees('As given, each once.'),
  cc: Addressees('As given, each once.'),
  bcc: Addressees('As given, each once; in no copy of the message.'),
  reply_to: Addressees('Where answers go; empty: to the sender.'),
  subject: Text('Of the message.'),
  tags: Type.Array(Type.Object({ name: TagText, value: TagText })),
  status: Type.Enum(STATUSES, {
    description:
      'queued or delivery_delayed while any recipient is open; then what all recipients have in common, else partially_delivered.',
  }),
  last_event: Text('The newest event, without `email.`: queued, delivered, bounced, complained, ...'),
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
    html: TextOrNull('Of the message; null when it has none.'),
    text: TextOrNull('Of the message; null when it has none.'),
    headers: Type.Record(Type.String(), Type.String(), { description: 'Custom headers, as given.' }),
    attachments: Type.Array(
      Type.Object({
        filename: Text('Base name of the file.'),
        content_type: Text('Its media type.'),
        content_id: TextOrNull('Of an inline image.'),
        size: Type.Integer({ description: 'Bytes of the file.' }),
      }),
    ),
    content_expired: Type.Boolean({
      description:
        'The content is not kept any more: html and text are null, headers and attachments empty, whatever they were.',
    }),
    recipients: Type.Array(
      Type.Object({
        email: Text('The address, without a display name.'),
        type: Type.Enum(['to', 'cc', 'bcc']),
        status: Type.Enum(RECIPIENT_STATUSES, {
          description:
            'delivered: its server took it. sent: a relay took it. bounced, rejected (for its content) and failed (its time is over, or our own fault) are final; a bounce that comes back by mail makes them of what was delivered or sent.',
        }),
        smtp_code: IntegerOrNull('Of the last reply.'),
        enhanced_code: TextOrNull('Of the last reply (RFC 3463).'),
        response: TextOrNull('The text of the last reply, or what kept it from coming.'),
        category: TextOrNull('Why, in one word: `accepted`, `no_such_address`, `mailbox_full`, ...'),
        advice: TextOrNull(
          'What became of it and what to do, in words for people; null: there is nothing to say yet. The words may change: programs go by `category`.',
        ),
        mx_host: TextOrNull('The server that gave it.'),
        attempts: Type.Integer({ description: 'How often delivery was tried.' }),
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
    attempt: Type.Integer({ description: 'Which try at this recipient it was, from 1.' }),
    started_at: Timestamp,
    duration_ms: Type.Integer({ description: 'How long it took.' }),
    outcome: Text('What it came to: delivered, deferred, bounced, rejected or failed.'),
    category: Text('Why, in one word: `accepted`, `no_such_address`, `mailbox_full`, ...'),
    advice: TextOrNull(
      'What it came to and why, in words for people. The words may change: programs go by `category`.',
    ),
    smtp_code: IntegerOrNull('Of the deciding reply; null when there was none.'),
    enhanced_code: TextOrNull('Of the deciding reply (RFC 3463).'),
    response: TextOrNull('The text of the deciding reply, or what kept it from coming.'),
    mx_host: TextOrNull('The server that was talked to.'),
    mx_address: TextOrNull('Its IP address.'),
    source_address: TextOrNull('The IP address of ours that the connection came from.'),
    tls: TextOrNull(
      'Version, cipher and how the certificate was verified (`dane`, `mta-sts`, `enforced`, `verified`, `unverified (...)`), ' +
        'or `none (...)` and why; null: no conversation that wanted TLS.',
    ),
    conversation: Type.Array(
      Type.Object({
        at_ms: Type.Integer({ description: 'Milliseconds since the try began.' }),
        who: Type.Enum(['client', 'server', 'note']),
        text: Text('One line, without the message itself.'),
      }),
    ),
  },
  { title: 'Attempt', examples: [EXAMPLES.attempt] },
)
