import Type, { type Static } from 'typebox'
import { SenderAnswer, senderToJson } from '../domains/routes/sender-schemas.ts'
import type { Sender } from '../domains/senders-queries.ts'
import { Text, TextOrNull, Timestamp, Uuid } from '../http/route/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { EXAMPLE_TEMPLATE, VariableAnswer, variableToJson } from './template-schemas.ts'
import type { NamedAuthor, TemplateVersion, TemplateVersionSummary } from './template-versions-queries.ts'

/** The author of a version or draft. */
export const AuthorAnswer = Type.Object({
  type: Type.Enum(['key', 'user'], { description: 'An API key or a user.' }),
  id: Uuid,
  name: TextOrNull('Name of the key or user. Null if it was deleted.'),
})

const SUMMARY_FIELDS = {
  object: Type.Literal('template_version'),
  id: Uuid,
  template_id: Uuid,
  version: Type.Integer({ description: 'Number of the version, from 1.' }),
  is_current: Type.Boolean({ description: 'Whether it is the current version.' }),
  subject: Text('Subject, with its placeholders.'),
  created_by: Type.Union([AuthorAnswer, Type.Null()], {
    description: 'Author. Null: the version predates the version history.',
  }),
  created_at: Timestamp,
}

const EXAMPLE_SUMMARY = {
  object: 'template_version',
  id: '0197a1d5-0c1d-7e2f-8a3b-4c5d6e7f8a9b',
  template_id: EXAMPLE_TEMPLATE.id,
  version: 1,
  is_current: true,
  subject: EXAMPLE_TEMPLATE.subject,
  created_by: { type: 'key', id: '0198c0de-0000-7000-8000-0000000000b2', name: 'Shop backend' },
  created_at: '2026-01-15 10:00:00',
}

/** A version as in lists: without content and variables. */
export const VersionSummaryAnswer = Type.Object(SUMMARY_FIELDS, {
  title: 'TemplateVersionSummary',
  examples: [EXAMPLE_SUMMARY],
})

export const TemplateVersionAnswer = Type.Object(
  {
    ...SUMMARY_FIELDS,
    html_content: Type.String({ description: 'Empty if there was none.' }),
    text_content: Type.String({ description: 'Empty if there was none.' }),
    reply_to: Type.String({ description: 'Empty: the reply address of the sender.' }),
    variables: Type.Array(VariableAnswer),
    sender: Type.Union([SenderAnswer, Type.Null()], {
      description: 'The current sender record. Null if it was deleted.',
    }),
  },
  {
    title: 'TemplateVersion',
    'x-extends': 'TemplateVersionSummary',
    examples: [
      {
        ...EXAMPLE_SUMMARY,
        html_content: EXAMPLE_TEMPLATE.html_content,
        text_content: EXAMPLE_TEMPLATE.text_content,
        reply_to: EXAMPLE_TEMPLATE.reply_to,
        variables: EXAMPLE_TEMPLATE.variables,
        sender: EXAMPLE_TEMPLATE.sender,
      },
    ],
  },
)

/**
 * Returns a version as in lists.
 * @param current the template's current version
 */
export function versionSummaryToJson(
  one: TemplateVersionSummary,
  current: number,
): Static<typeof VersionSummaryAnswer> {
  return {
    object: 'template_version',
    id: one.id,
    template_id: one.templateId,
    version: one.version,
    is_current: one.version === current,
    subject: one.subject,
    created_by: one.author === null ? null : authorToJson(one.author),
    created_at: formatTime(one.createdAt),
  }
}

export function authorToJson({ kind, id, name }: NamedAuthor) {
  return { type: kind, id, name }
}

/**
 * Returns a version with its content.
 * @param sender the version's sender; null when it was deleted
 */
export function templateVersionToJson(
  one: TemplateVersion,
  sender: Sender | null,
  current: number,
): Static<typeof TemplateVersionAnswer> {
  return {
    ...versionSummaryToJson(one, current),
    html_content: one.html ?? '',
    text_content: one.text ?? '',
    reply_to: one.replyTo ?? '',
    variables: one.variables.map(variableToJson),
    sender: sender === null ? null : senderToJson(sender),
  }
}
