import Type from 'typebox'
import type { Config } from '../config/config.ts'
import { readCounter } from '../db/counters.ts'
import type { Db } from '../db/db-types.ts'
import { listOf, listToJson, PAGE_PARAMETERS, readPage } from '../http/page.ts'
import { deletedToJson } from '../http/present.ts'
import { aliasOf, type Route, routesOf } from '../http/route.ts'
import { Deleted } from '../http/schemas.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/time/clock.ts'
import { authorshipOf } from './authorship.ts'
import {
  EXAMPLE_TEMPLATE,
  IdOrAlias,
  readTemplate,
  TemplateAnswer,
  TemplateChange,
  TemplateInput,
  TemplateSummaryAnswer,
  templateSummaryToJson,
  templateToJson,
} from './template-schemas.ts'
import { changeTemplate, createTemplate, duplicateTemplate, removeTemplate } from './templates.ts'
import {
  countTemplates,
  findTemplate,
  listTemplates,
  TEMPLATE_COUNTER,
  type TemplateFilter,
} from './templates-queries.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

const common = { tag: 'Templates', permission: 'full', limit: 'general' } as const
const one = { description: 'The template.', schema: TemplateAnswer }

const addTemplate = route('POST', '/templates', {
  ...common,
  operationId: 'createTemplate',
  action: 'templates.create',
  summary: 'Create a template',
  description:
    '`{{KEY}}` inserts a variable: escaped in HTML, literal in the subject and text. `{{{KEY}}}` is never escaped. White space inside the braces is ignored, so `{{ KEY }}` equals `{{KEY}}`. Values are not expanded again. Other text between braces is literal.',
  body: TemplateInput,
  responses: { 201: { ...one, description: 'The new template.' } },
  async handle({ caller, body, audited, deps: { clock } }) {
    const input = { ...readTemplate(body), name: body.name, subject: body.subject }
    const authorship = authorshipOf(caller, clock)
    const template = await audited.transaction((tx) => createTemplate(tx, caller.teamId, input, authorship))
    return { status: 201, json: templateToJson(template) }
  },
})

const TemplateQuery = Type.Object({
  ...PAGE_PARAMETERS,
  folder_id: Type.Optional(Type.String({ format: 'uuid', description: 'Templates in this folder.' })),
  status: Type.Optional(Type.Enum(['published', 'draft'], { description: 'Templates with this status.' })),
  q: Type.Optional(Type.String({ maxLength: 255, description: 'The start of the name, case-insensitive.' })),
})

const getTemplates = route('GET', '/templates', {
  ...common,
  operationId: 'listTemplates',
  summary: 'List templates',
  description:
    'Newest first, without content and variables. With a filter, `meta.total` counts up to 10,000.',
  query: TemplateQuery,
  responses: {
    200: {
      description: 'A page of templates.',
      schema: listOf(TemplateSummaryAnswer),
    },
  },
  async handle({ caller: { teamId }, query, deps: { lists, config } }) {
    const page = readPage(query)
    const filter = readFilter(query)
    const { rows, hasMore } = await listTemplates(lists, teamId, filter, page)
    const isFiltered = Object.keys(filter).length > 0
    const total = isFiltered
      ? await countTemplates(lists, teamId, filter)
      : await readCounter(lists, teamId, TEMPLATE_COUNTER)
    const list = { publicUrl: config.publicUrl, path: '/templates', query, page, total, hasMore }
    return { status: 200, json: listToJson({ ...list, data: rows.map(templateSummaryToJson) }) }
  },
})

function readFilter(query: { folder_id?: string; status?: unknown; q?: string }): TemplateFilter {
  const filter: TemplateFilter = {}
  if (query.folder_id !== undefined) filter.folderId = query.folder_id
  if (query.status !== undefined) filter.status = query.status as NonNullable<TemplateFilter['status']>
  if (query.q !== undefined) filter.namePrefix = query.q
  return filter
}

const getTemplate = route('GET', '/templates/:id', {
  ...common,
  operationId: 'getTemplate',
  summary: 'Get a template by id or alias',
  description: 'Includes the content and the variables.',
  params: IdOrAlias,
  responses: { 200: one },
  async handle({ caller, params, deps: { db } }) {
    const template = await findTemplate(db, caller.teamId, params.id)
    if (template === null) throw new ApiError('not_found')
    return { status: 200, json: templateToJson(template) }
  },
})

const changeOne = route('PATCH', '/templates/:id', {
  ...common,
  operationId: 'updateTemplate',
  action: 'templates.update',
  summary: 'Update a template',
  description:
    'Changes only the fields you send; `status` may change in either direction. Emails accepted earlier keep the content they had.',
  params: IdOrAlias,
  body: TemplateChange,
  responses: { 200: one },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const changes = readTemplate(body)
    const template = await audited.transaction((tx) =>
      changeTemplate(tx, caller.teamId, params.id, changes, authorshipOf(caller, clock)),
    )
    return { status: 200, json: templateToJson(template) }
  },
})

const publishTemplate = route('POST', '/templates/:id/publish', {
  ...common,
  operationId: 'publishTemplate',
  action: 'templates.publish',
  summary: 'Publish a template',
  description:
    'Only published templates can be used for sending. Publishing a published template changes nothing.',
  params: IdOrAlias,
  responses: { 200: one },
  async handle({ caller, params, audited, deps: { clock } }) {
    const template = await audited.transaction((tx) =>
      changeTemplate(tx, caller.teamId, params.id, { status: 'published' }, authorshipOf(caller, clock)),
    )
    return { status: 200, json: templateToJson(template) }
  },
})

const copyTemplate = route('POST', '/templates/:id/duplicate', {
  ...common,
  operationId: 'duplicateTemplate',
  action: 'templates.duplicate',
  summary: 'Duplicate a template',
  description: 'The copy is a draft in the same folder, named `Copy of ...`, without an alias.',
  params: IdOrAlias,
  responses: {
    201: {
      ...one,
      description: 'The copy.',
      example: {
        ...EXAMPLE_TEMPLATE,
        id: '0197a1d4-1d2e-7f30-9b4c-5d6e7f8a9b0c',
        name: 'Copy of Receipt',
        alias: null,
        status: 'draft',
        published_at: null,
      },
    },
  },
  async handle({ caller, params, audited, deps: { clock } }) {
    const authorship = authorshipOf(caller, clock)
    const copy = await audited.transaction((tx) =>
      duplicateTemplate(tx, caller.teamId, params.id, authorship),
    )
    return { status: 201, json: templateToJson(copy) }
  },
})

const deleteTemplate = route('DELETE', '/templates/:id', {
  ...common,
  operationId: 'deleteTemplate',
  action: 'templates.delete',
  summary: 'Delete a template',
  description:
    'Emails accepted earlier, including scheduled ones, are unaffected. Returns 409 while an active campaign or automation uses the template; other campaigns lose it.',
  params: IdOrAlias,
  responses: {
    200: {
      description: 'The template was deleted.',
      schema: Deleted,
      example: deletedToJson('template', EXAMPLE_TEMPLATE.id),
    },
  },
  async handle({ caller, params, audited }) {
    const id = await audited.transaction((tx) => removeTemplate(tx, caller.teamId, params.id))
    return { status: 200, json: deletedToJson('template', id) }
  },
})

export const templateRoutes: readonly Route<Deps>[] = [
  addTemplate,
  getTemplates,
  getTemplate,
  changeOne,
  aliasOf(changeOne, { method: 'PUT' }),
  publishTemplate,
  copyTemplate,
  deleteTemplate,
]
