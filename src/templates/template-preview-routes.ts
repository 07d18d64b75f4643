import Type, { type Static } from 'typebox'
import type { Db } from '../db/db-types.ts'
import { type Route, routesOf } from '../http/route.ts'
import { Text, TextOrNull, Uuid } from '../http/schemas.ts'
import { ApiError, invalidFields } from '../lib/api-error.ts'
import {
  type CompiledTemplate,
  compileTemplate,
  renderTemplate,
  renderWithGaps,
  TEMPLATE_PARTS,
  type TemplateSource,
} from './render-template.ts'
import type { FindTemplate } from './template-cache.ts'
import {
  EXAMPLE_TEMPLATE,
  IdOrAlias,
  PREVIEW_CONTENT,
  readTemplate,
  readVariable,
  VariableValues,
} from './template-schemas.ts'
import { validateSource } from './templates.ts'
import { findTemplate } from './templates-queries.ts'

interface Deps {
  db: Db
  findTemplate: FindTemplate
}

const { route } = routesOf<Deps>()

export const PreviewAnswer = Type.Object(
  {
    object: Type.Literal('template_preview'),
    template_id: Type.Union([Uuid, Type.Null()], { description: 'Null for content that is not a template.' }),
    subject: Text('Line breaks of values are spaces in it.'),
    html: TextOrNull('Values are escaped in it, but for `{{{KEY}}}`. Null: the template has none.'),
    text: Type.Union([Type.String(), Type.Null()], {
      description: 'Null when the template has no text; an email then derives it from the HTML.',
    }),
    missing: Type.Array(Type.String(), {
      description:
        'With `allow_missing`: variables that have neither a value nor a fallback, in order of use. Their placeholders are left.',
    }),
  },
  { title: 'TemplatePreview' },
)

const FIELDS = {
  variables: Type.Optional(VariableValues),
  ...PREVIEW_CONTENT,
  allow_missing: Type.Optional(
    Type.Boolean({ description: 'Lists variables without a value in `missing` instead of returning 422.' }),
  ),
}
const EXAMPLE = { variables: { NAME: 'Ann', TOTAL: 12.5 } }
const PreviewBody = Type.Object(FIELDS, { examples: [EXAMPLE] })
const ContentBody = Type.Object(FIELDS, {
  examples: [
    {
      ...EXAMPLE,
      subject: EXAMPLE_TEMPLATE.subject,
      html_content: EXAMPLE_TEMPLATE.html_content,
      text_content: EXAMPLE_TEMPLATE.text_content,
    },
  ],
})

const EXAMPLE_ANSWER = {
  object: 'template_preview',
  template_id: EXAMPLE_TEMPLATE.id,
  subject: 'Your receipt, Ann',
  html: '<p>Thank you, Ann. You paid 12.5.</p>',
  text: 'Thank you, Ann. You paid 12.5.',
  missing: [],
}

const common = { changesNothing: true, tag: 'Templates', permission: 'full', limit: 'general' } as const
const answered = { description: 'The rendered content.', schema: PreviewAnswer }
const DESCRIPTION =
  'A variable without a value or a fallback returns 422, as in sending; with `allow_missing` it is listed in `missing` instead.'

const previewTemplate = route('POST', '/templates/:id/preview', {
  ...common,
  operationId: 'previewTemplate',
  summary: 'Preview a template',
  description: `Renders the template without sending, drafts included. Content you send replaces the stored content field by field and is not stored. ${DESCRIPTION}`,
  params: IdOrAlias,
  body: PreviewBody,
  responses: { 200: { ...answered, example: EXAMPLE_ANSWER } },
  async handle({ caller, params, body, deps }) {
    const { id, compiled } = changesContent(body)
      ? await compileChanged(deps, caller.teamId, params.id, body)
      : await findCompiled(deps, caller.teamId, params.id)
    return { status: 200, json: previewToJson(id, compiled, body) }
  },
})

const previewContent = route('POST', '/templates/preview', {
  ...common,
  operationId: 'previewContent',
  summary: 'Preview content before it is a template',
  description: `Renders the content you send; fields you leave out are empty. ${DESCRIPTION}`,
  body: ContentBody,
  responses: { 200: { ...answered, example: { ...EXAMPLE_ANSWER, template_id: null } } },
  async handle({ body }) {
    const compiled = compileJudged(NOTHING, body)
    return { status: 200, json: previewToJson(null, compiled, body) }
  },
})

type Body = Static<typeof PreviewBody>

const NOTHING: TemplateSource = { subject: '', html: null, text: null, variables: [] }

function changesContent(body: Body): boolean {
  return Object.keys(PREVIEW_CONTENT).some((field) => Object.hasOwn(body, field))
}

/** As sending has it: cut at its variables once, and kept. */
async function findCompiled(deps: Deps, teamId: string, idOrAlias: string) {
  const template = await deps.findTemplate(teamId, idOrAlias)
  if (template === null) throw new ApiError('not_found')
  return template
}

async function compileChanged({ db }: Deps, teamId: string, idOrAlias: string, body: Body) {
  const template = await findTemplate(db, teamId, idOrAlias)
  if (template === null) throw new ApiError('not_found')
  return { id: template.id, compiled: compileJudged(template, body) }
}

/** What is given in place of what there is. Throws a validation ApiError on each field. */
function compileJudged(stored: TemplateSource, body: Body): CompiledTemplate {
  const { variables: _values, variable_definitions: definitions, ...content } = body
  const { subject, html, text } = readTemplate(content)
  const source: TemplateSource = {
    subject: subject ?? stored.subject,
    html: html === undefined ? stored.html : html || null,
    text: text === undefined ? stored.text : text || null,
    variables: definitions?.map(readVariable) ?? stored.variables,
  }
  const apiError = invalidFields(validateSource(source, 'variable_definitions'))
  if (apiError !== null) throw apiError
  return compileTemplate(source)
}

function previewToJson(
  id: string | null,
  compiled: CompiledTemplate,
  { variables = {}, allow_missing: allowMissing = false }: Body,
) {
  const rendered = allowMissing
    ? renderWithGaps(compiled, variables, TEMPLATE_PARTS, 'variables')
    : { ...renderTemplate(compiled, variables, TEMPLATE_PARTS, 'variables'), missing: [] }
  return { object: 'template_preview', template_id: id, ...rendered }
}

export const templatePreviewRoutes: readonly Route<Deps>[] = [previewTemplate, previewContent]
