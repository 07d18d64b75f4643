import { setImmediate as nextTurn } from 'node:timers/promises'
import Type, { type Static } from 'typebox'
import { IdOrNull, Text, TextOrNull } from '../http/route/schemas.ts'
import { findWarnings } from './placeholder-warnings.ts'
import {
  compileTemplate,
  renderTemplate,
  renderWithGaps,
  TEMPLATE_PARTS,
  type TemplateSource,
} from './render-template.ts'
import { EXAMPLE_TEMPLATE, PREVIEW_CONTENT, VariableValues } from './template-schemas.ts'
import { TemplateWarnings } from './template-warning-schemas.ts'

export const TemplatePreviewAnswer = Type.Object(
  {
    object: Type.Literal('template_preview'),
    template_id: IdOrNull('Null for content without a template.'),
    subject: Text('Subject. Line breaks in values become spaces.'),
    html: TextOrNull('Null if there is none. Values are escaped, except in `{{{KEY}}}`.'),
    text: TextOrNull('Null if there is none. Emails then derive it from the HTML.'),
    missing: Type.Array(Type.String(), {
      description:
        'With `allow_missing`: variables without a value or fallback, in order of use. Their placeholders remain.',
    }),
    warnings: TemplateWarnings,
  },
  {
    title: 'TemplatePreview',
    examples: [
      {
        object: 'template_preview',
        template_id: EXAMPLE_TEMPLATE.id,
        subject: 'Your receipt, Ann',
        html: '<p>Thank you, Ann. You paid 12.5.</p>',
        text: 'Thank you, Ann. You paid 12.5.',
        missing: [],
        warnings: [],
      },
    ],
  },
)

const FIELDS = {
  variables: Type.Optional(VariableValues),
  ...PREVIEW_CONTENT,
  draft: Type.Optional(
    Type.Boolean({ description: 'Renders the draft of the template instead, if it has one.' }),
  ),
  allow_missing: Type.Optional(
    Type.Boolean({ description: 'Lists variables without a value in `missing` instead of returning 422.' }),
  ),
}
export const TemplatePreviewBody = Type.Object(FIELDS, {
  title: 'PreviewRequest',
  examples: [
    {
      variables: { NAME: 'Ann', TOTAL: 12.5 },
      subject: EXAMPLE_TEMPLATE.subject,
      html_content: EXAMPLE_TEMPLATE.html_content,
      text_content: EXAMPLE_TEMPLATE.text_content,
    },
  ],
})

export type Body = Static<typeof TemplatePreviewBody>

/** Renders and checks in a turn of the event loop each, because each reads up to a megabyte. */
export async function templatePreviewToJson(
  id: string | null,
  source: TemplateSource,
  { variables = {}, allow_missing: allowMissing = false }: Body,
) {
  await nextTurn()
  const compiled = compileTemplate(source)
  const rendered = allowMissing
    ? renderWithGaps(compiled, variables, TEMPLATE_PARTS, 'variables')
    : { ...renderTemplate(compiled, variables, TEMPLATE_PARTS, 'variables'), missing: [] }
  await nextTurn()
  return { object: 'template_preview', template_id: id, ...rendered, warnings: findWarnings(source) }
}
