import Type, { type Static } from 'typebox'
import { SenderAnswer, senderToJson } from '../domains/routes/sender-schemas.ts'
import { IdOrNull, Text, TextOrNull, Timestamp, TimestampOrNull, Uuid } from '../http/route/schemas.ts'
import { omitUndefined } from '../lib/omit-undefined.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { findWarnings } from './placeholder-warnings.ts'
import { VARIABLE_COUNT_MAX, VARIABLE_KEY } from './render-template.ts'
import { TemplateWarnings } from './template-warning-schemas.ts'
import type { TemplateChanges } from './templates.ts'
import type { Template, TemplateSummary, TemplateVariable } from './templates-queries.ts'

export const IdOrAlias = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 255, description: 'Id or alias of the template.' }),
})

const orNull = (schema: Type.TSchema, options: Type.TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options)

const VariableInput = Type.Object(
  {
    key: Type.String({
      pattern: `^${VARIABLE_KEY}$`,
      description: 'Name in `{{KEY}}`: 1 to 64 letters, digits, and underscores, without a leading digit.',
    }),
    type: Type.Optional(
      Type.Enum(['string', 'number'], {
        description: 'Default `string`. A `number` takes a JSON number or a numeric string.',
      }),
    ),
    fallback_value: Type.Optional(
      Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Null()], {
        description:
          'Used if a request gives no value. Null: each request must give one. Numeric for a `number`.',
      }),
    ),
  },
  { title: 'TemplateVariableInput' },
)

const CONTENT =
  'Up to 10,000 `{{VARIABLE}}` or `{{{VARIABLE}}}`. `html_content` or `text_content` is required; empty counts as absent.'

const FIELDS = {
  name: Type.String({ minLength: 1, maxLength: 255, description: 'Name of the template.' }),
  subject: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Supports `{{VARIABLE}}`. No line breaks. The rendered subject must be valid in an email.',
  }),
}

const OPTIONAL_FIELDS = {
  sender_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Id of the sender. Required unless `from` is given.',
    }),
  ),
  from: Type.Optional(
    Type.String({
      maxLength: 2000,
      description:
        '`Name <address>`, instead of `sender_id`. Uses the sender with this address, or creates one at your domain.',
    }),
  ),
  html_content: Type.Optional(orNull(Type.String(), { description: CONTENT })),
  text_content: Type.Optional(
    orNull(Type.String(), {
      description: `${CONTENT} Default: derived from the HTML of each email.`,
    }),
  ),
  html: Type.Optional(
    orNull(Type.String(), { description: 'Alias of `html_content`, which takes precedence.' }),
  ),
  text: Type.Optional(
    orNull(Type.String(), { description: 'Alias of `text_content`, which takes precedence.' }),
  ),
  reply_to: Type.Optional(
    Type.Union(
      [
        Type.String({ maxLength: 255 }),
        Type.Array(Type.String({ maxLength: 255 }), { maxItems: 1 }),
        Type.Null(),
      ],
      {
        'x-words': 'a string',
        description: 'One address, with an optional display name. Default: that of the sender.',
      },
    ),
  ),
  folder_id: Type.Optional(orNull(Uuid, { description: 'Id of the folder. Null: no folder.' })),
  alias: Type.Optional(
    orNull(Type.String({ maxLength: 255 }), {
      description:
        'A name to use instead of the id: letters, digits, dots, underscores, and hyphens. Unique, ignoring case (409).',
    }),
  ),
  status: Type.Optional(
    Type.Enum(['published', 'draft'], {
      description: 'Default `published`. Emails need a published template.',
    }),
  ),
  variables: Type.Optional(
    Type.Array(VariableInput, {
      maxItems: VARIABLE_COUNT_MAX,
      description: 'Each key once. A variable without a definition is a `string` without a fallback.',
    }),
  ),
}

const EXAMPLE_CONTENT = {
  name: 'Receipt',
  subject: 'Your receipt, {{NAME}}',
  html_content: '<p>Thank you, {{NAME}}. You paid {{TOTAL}}.</p>',
  text_content: 'Thank you, {{NAME}}. You paid {{TOTAL}}.',
}
const EXAMPLE_SENDER_ID = '0197a1c2-7b44-7c3e-9a51-3f0c4d5e6f70'

const ContentText = (part: string) =>
  Type.Optional(orNull(Type.String(), { description: `Replaces the ${part} of the template. Null: none.` }))

/** Fields that replace the stored content in a preview. */
export const PREVIEW_CONTENT = {
  subject: Type.Optional(
    Type.String({ maxLength: 255, description: 'Replaces the subject of the template. Can be empty.' }),
  ),
  html_content: ContentText('HTML'),
  text_content: ContentText('text'),
  html: Type.Optional(orNull(Type.String(), { description: 'Alias of `html_content`.' })),
  text: Type.Optional(orNull(Type.String(), { description: 'Alias of `text_content`.' })),
  variable_definitions: Type.Optional(
    Type.Array(VariableInput, {
      maxItems: VARIABLE_COUNT_MAX,
      description: 'Replaces the `variables` of the template.',
    }),
  ),
}

export const TemplateInput = Type.Object(
  { ...FIELDS, ...OPTIONAL_FIELDS },
  {
    examples: [
      {
        ...EXAMPLE_CONTENT,
        sender_id: EXAMPLE_SENDER_ID,
        variables: [
          { key: 'NAME', type: 'string', fallback_value: 'friend' },
          { key: 'TOTAL', type: 'number' },
        ],
      },
    ],
  },
)
export const TemplateChange = Type.Object(
  { name: Type.Optional(FIELDS.name), subject: Type.Optional(FIELDS.subject), ...OPTIONAL_FIELDS },
  { examples: [{ subject: 'Receipt for {{NAME}}', status: 'published' }] },
)

/** Values of a template's variables, for sending and previews. */
export const VariableValues = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
  title: 'VariableValues',
  maxProperties: 1000,
  description: 'Values by key, required for variables without a fallback. Unused keys are ignored.',
})

/** Reads the template fields of a request body. Null and an empty text clear a field. */
export function readTemplate(body: Static<typeof TemplateChange>): TemplateChanges {
  return omitUndefined({
    name: body.name,
    senderId: body.sender_id,
    from: body.from,
    subject: body.subject,
    folderId: body.folder_id as string | null | undefined,
    alias: body.alias as string | null | undefined,
    html: contentOf(body.html_content, body.html),
    text: contentOf(body.text_content, body.text),
    replyTo: Array.isArray(body.reply_to) ? (body.reply_to[0] ?? null) : body.reply_to,
    status: body.status as TemplateChanges['status'] | undefined,
    variables: body.variables?.map(readVariable),
  })
}

/** Returns a content field, or else its alias: a client may send either. Null clears it, under either name. */
function contentOf(content: unknown, alias: unknown) {
  return (content ?? (alias === undefined ? content : alias)) as string | null | undefined
}

export function readVariable({ key, type, fallback_value }: Static<typeof VariableInput>): TemplateVariable {
  return {
    key,
    type: (type ?? 'string') as TemplateVariable['type'],
    fallback_value: fallback_value === undefined || fallback_value === null ? null : String(fallback_value),
  }
}

export const VariableAnswer = Type.Object(
  {
    key: Text('Name in `{{KEY}}`.'),
    type: Type.Enum(['string', 'number']),
    fallback_value: TextOrNull('Used if a request gives no value. Null: each request must give one.'),
  },
  { title: 'TemplateVariable' },
)

const SUMMARY_FIELDS = {
  object: Type.Literal('template'),
  id: Uuid,
  folder_id: IdOrNull('Null: no folder.'),
  name: Text('Name of the template.'),
  alias: TextOrNull('A name to use instead of the id.'),
  subject: Text('Subject, with its placeholders.'),
  reply_to: Type.String({ description: 'Empty: the reply address of the sender.' }),
  status: Type.Enum(['published', 'draft']),
  sender: SenderAnswer,
  version: Type.Integer({
    description: 'Increases with each change of the subject, content, variables, sender, or `reply_to`.',
  }),
  published_at: TimestampOrNull,
  has_unpublished_versions: Type.Boolean({ description: 'Whether it has a draft with unpublished changes.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
}

const EXAMPLE_SUMMARY = {
  object: 'template',
  id: '0197a1d3-0c1d-7e2f-8a3b-4c5d6e7f8a9b',
  folder_id: null,
  name: EXAMPLE_CONTENT.name,
  alias: 'receipt',
  subject: EXAMPLE_CONTENT.subject,
  reply_to: '',
  status: 'published',
  sender: {
    object: 'sender',
    id: EXAMPLE_SENDER_ID,
    domain_id: '0197a1b0-1f2e-7d3c-8b4a-5c6d7e8f9a0b',
    name: 'Acme Support',
    username: 'support',
    email: 'support@mail.example.com',
    reply_to: 'help@example.com',
    created_at: '2026-01-15 09:30:00',
    updated_at: '2026-01-15 09:30:00',
  },
  version: 1,
  published_at: '2026-01-15 10:00:00',
  has_unpublished_versions: false,
  created_at: '2026-01-15 10:00:00',
  updated_at: '2026-01-15 10:00:00',
}

/** The template in the examples of responses. */
export const EXAMPLE_TEMPLATE = {
  ...EXAMPLE_SUMMARY,
  html_content: EXAMPLE_CONTENT.html_content,
  text_content: EXAMPLE_CONTENT.text_content,
  variables: [
    { key: 'NAME', type: 'string', fallback_value: 'friend' },
    { key: 'TOTAL', type: 'number', fallback_value: null },
  ],
  from: 'Acme Support <support@mail.example.com>',
  html: EXAMPLE_CONTENT.html_content,
  text: EXAMPLE_CONTENT.text_content,
  warnings: [],
}

/** Returns a template as in lists: without content and variables. */
export const TemplateSummaryAnswer = Type.Object(SUMMARY_FIELDS, {
  title: 'TemplateSummary',
  examples: [EXAMPLE_SUMMARY],
})

export const TemplateAnswer = Type.Object(
  {
    ...SUMMARY_FIELDS,
    html_content: Type.String({ description: 'Empty if there is none.' }),
    text_content: Type.String({ description: 'Empty if there is none.' }),
    variables: Type.Array(VariableAnswer),
    from: Type.String({ description: 'Sender as `Name <address>`.' }),
    html: Type.String({ description: 'Alias of `html_content`.' }),
    text: TextOrNull('Alias of `text_content`. Null if there is none.'),
    warnings: TemplateWarnings,
  },
  { title: 'Template', 'x-extends': 'TemplateSummary', examples: [EXAMPLE_TEMPLATE] },
)

export function templateSummaryToJson(template: TemplateSummary): Static<typeof TemplateSummaryAnswer> {
  return {
    object: 'template',
    id: template.id,
    folder_id: template.folderId,
    name: template.name,
    alias: template.alias,
    subject: template.subject,
    // Always strings (API-18).
    reply_to: template.replyTo ?? '',
    status: template.status,
    sender: senderToJson(template.sender),
    version: template.version,
    published_at: formatTime(template.publishedAt),
    has_unpublished_versions: template.hasDraft,
    created_at: formatTime(template.createdAt),
    updated_at: formatTime(template.updatedAt),
  }
}

export function templateToJson(template: Template): Static<typeof TemplateAnswer> {
  const { html, text, variables, sender } = template
  return {
    ...templateSummaryToJson(template),
    html_content: html ?? '',
    text_content: text ?? '',
    variables: variables.map(variableToJson),
    from: `${sender.name} <${sender.email}>`,
    html: html ?? '',
    text,
    warnings: findWarnings(template),
  }
}

export function variableToJson({
  key,
  type,
  fallback_value,
}: TemplateVariable): Static<typeof VariableAnswer> {
  return { key, type, fallback_value }
}
