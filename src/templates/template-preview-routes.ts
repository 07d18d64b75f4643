import type { Db } from '../db/db-types.ts'
import { type Route, routesOf } from '../http/route/route.ts'
import { orNotFound, throwInvalid } from '../lib/api-error.ts'
import type { TemplateSource } from './render-template.ts'
import { findTemplateDraft } from './template-drafts-queries.ts'
import {
  type Body,
  TemplatePreviewAnswer,
  TemplatePreviewBody,
  templatePreviewToJson,
} from './template-preview-schemas.ts'
import { IdOrAlias, readTemplate, readVariable } from './template-schemas.ts'
import { validateSource } from './templates.ts'
import { findTemplate } from './templates-queries.ts'

interface Deps {
  db: Db
}

const { route } = routesOf<Deps>()

const common = { changesNothing: true, area: 'templates', permission: 'full' } as const
const previewResponse = { description: 'The rendered content.', schema: TemplatePreviewAnswer }
const DESCRIPTION = 'A variable without a value or fallback returns 422, unless `allow_missing` is set.'

const previewTemplate = route('POST', '/templates/:id/preview', {
  ...common,
  operationId: 'previewTemplate',
  summary: 'Preview a template',
  description: `Renders a template, published or not. Fields in the request replace the stored ones. ${DESCRIPTION}`,
  params: IdOrAlias,
  body: TemplatePreviewBody,
  responses: { 200: previewResponse },
  async handle({ caller, params, body, deps }) {
    const template = orNotFound(await findTemplate(deps.db, caller.teamId, params.id))
    const draft = body.draft === true ? await findTemplateDraft(deps.db, caller.teamId, template.id) : null
    return {
      status: 200,
      json: await templatePreviewToJson(template.id, readSource(draft ?? template, body), body),
    }
  },
})

const previewContent = route('POST', '/templates/preview', {
  ...common,
  operationId: 'previewContent',
  summary: 'Preview content without a template',
  description: `Renders the content in the request. Fields that you omit are empty. ${DESCRIPTION}`,
  body: TemplatePreviewBody,
  responses: { 200: previewResponse },
  async handle({ body }) {
    return { status: 200, json: await templatePreviewToJson(null, readSource(NOTHING, body), body) }
  },
})

const NOTHING: TemplateSource = { subject: '', html: null, text: null, variables: [] }

/**
 * Returns the stored content with the fields of the body in place of the stored ones. Throws a validation ApiError that
 * lists each invalid field.
 */
function readSource(stored: TemplateSource, body: Body): TemplateSource {
  const { variables: _values, variable_definitions: definitions, draft: _draft, ...content } = body
  const { subject, html, text } = readTemplate(content)
  const source: TemplateSource = {
    subject: subject ?? stored.subject,
    html: html === undefined ? stored.html : html || null,
    text: text === undefined ? stored.text : text || null,
    variables: definitions?.map(readVariable) ?? stored.variables,
  }
  throwInvalid(validateSource(source, 'variable_definitions'))
  return source
}

export const templatePreviewRoutes: readonly Route<Deps>[] = [previewTemplate, previewContent]
