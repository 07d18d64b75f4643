import Type, { type Static } from 'typebox'
import { SenderAnswer, senderToJson } from '../domains/routes/sender-schemas.ts'
import { Text, Timestamp, Uuid } from '../http/route/schemas.ts'
import { omitUndefined } from '../lib/omit-undefined.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { findWarnings } from './placeholder-warnings.ts'
import type { DraftChanges, DraftOfTemplate } from './template-drafts.ts'
import {
  EXAMPLE_TEMPLATE,
  readTemplate,
  TemplateChange,
  VariableAnswer,
  variableToJson,
} from './template-schemas.ts'
import { AuthorAnswer, authorToJson } from './template-version-schemas.ts'
import { TemplateWarnings } from './template-warning-schemas.ts'

const { sender_id, from, subject, html_content, text_content, html, text, reply_to, variables } =
  TemplateChange.properties

export const TemplateDraftChange = Type.Object(
  {
    sender_id,
    from,
    subject,
    html_content,
    text_content,
    html,
    text,
    reply_to,
    variables,
    revision: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The revision you read, or 0 for no draft. Returns 409 if the draft has another.',
      }),
    ),
    base_version: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'The `version` of the template you read. Default: that of the draft, or the current one.',
      }),
    ),
  },
  { title: 'SaveTemplateDraftRequest', examples: [{ subject: 'Receipt for {{NAME}}', revision: 0 }] },
)

export function readDraft(body: Static<typeof TemplateDraftChange>): DraftChanges {
  const { revision, base_version: baseVersion, ...content } = body
  return { ...readTemplate(content), ...omitUndefined({ revision, baseVersion }) }
}

export const TemplateDraftAnswer = Type.Object(
  {
    object: Type.Literal('template_draft'),
    template_id: Uuid,
    revision: Type.Integer({ description: 'Increases with each change.' }),
    base_version: Type.Integer({ description: 'The version of the template that the draft changes.' }),
    is_outdated: Type.Boolean({ description: 'Whether the template has a later version.' }),
    subject: Text('Subject, with its placeholders.'),
    html_content: Type.String({ description: 'Empty if there is none.' }),
    text_content: Type.String({ description: 'Empty if there is none.' }),
    reply_to: Type.String({ description: 'Empty: the reply address of the sender.' }),
    variables: Type.Array(VariableAnswer),
    warnings: TemplateWarnings,
    sender: SenderAnswer,
    updated_by: AuthorAnswer,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    title: 'TemplateDraft',
    examples: [
      {
        object: 'template_draft',
        template_id: EXAMPLE_TEMPLATE.id,
        revision: 1,
        base_version: 1,
        is_outdated: false,
        subject: 'Receipt for {{NAME}}',
        html_content: EXAMPLE_TEMPLATE.html_content,
        text_content: EXAMPLE_TEMPLATE.text_content,
        reply_to: EXAMPLE_TEMPLATE.reply_to,
        variables: EXAMPLE_TEMPLATE.variables,
        warnings: [],
        sender: EXAMPLE_TEMPLATE.sender,
        updated_by: { type: 'key', id: '0198c0de-0000-7000-8000-0000000000b2', name: 'Shop backend' },
        created_at: '2026-01-15 11:00:00',
        updated_at: '2026-01-15 11:00:00',
      },
    ],
  },
)

export function templateDraftToJson({
  draft,
  template,
  sender,
}: DraftOfTemplate): Static<typeof TemplateDraftAnswer> {
  return {
    object: 'template_draft',
    template_id: draft.templateId,
    revision: draft.revision,
    base_version: draft.baseVersion,
    is_outdated: draft.baseVersion !== template.version,
    subject: draft.subject,
    html_content: draft.html ?? '',
    text_content: draft.text ?? '',
    reply_to: draft.replyTo ?? '',
    variables: draft.variables.map(variableToJson),
    warnings: findWarnings(draft),
    sender: senderToJson(sender),
    updated_by: authorToJson(draft.author),
    created_at: formatTime(draft.createdAt),
    updated_at: formatTime(draft.updatedAt),
  }
}
