import Type from 'typebox'
import { PAGE_PARAMETERS } from '../http/route/page.ts'
import { deletedToJson } from '../http/route/present.ts'
import { type ResourceDeps, resource } from '../http/route/resource.ts'
import { aliasOf, type Route, routesOf } from '../http/route/route.ts'
import { Deleted } from '../http/route/schemas.ts'
import { authorshipOf } from './authorship.ts'
import {
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

const { route } = routesOf<ResourceDeps>()

const common = { tag: 'Templates', permission: 'full', limit: 'general' } as const
const templates = resource('/templates', 'template', common)
const one = { description: 'The template.', schema: TemplateAnswer }

const addTemplate = route('POST', '/templates', {
  ...common,
  operationId: 'createTemplate',
  action: 'templates.create',
  summary: 'Create a template',
  description:
    '`{{KEY}}` inserts a variable: escaped in HTML, literal in the subject and text. `{{{KEY}}}` is never escaped, and `{{{KEY|fallback}}}` has a fallback. White space inside the braces is ignored. Variables inside values are not expanded. Other text in braces is literal.',
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
  q: Type.Optional(Type.String({ maxLength: 255, description: 'Start of the name, case-insensitive.' })),
})

const getTemplates = templates.list('listTemplates', 'List templates', {
  description: 'Newest first, without content and variables.',
  query: TemplateQuery,
  schema: TemplateSummaryAnswer,
  response: 'A page of templates.',
  async read(db, teamId, page, { query }) {
    const filter = readFilter(query)
    const found = await listTemplates(db, teamId, filter, page)
    const isFiltered = Object.keys(filter).length > 0
    return isFiltered ? { ...found, total: await countTemplates(db, teamId, filter) } : found
  },
  counter: TEMPLATE_COUNTER,
  toJson: templateSummaryToJson,
})

function readFilter(query: { folder_id?: string; status?: unknown; q?: string }): TemplateFilter {
  const filter: TemplateFilter = {}
  if (query.folder_id !== undefined) filter.folderId = query.folder_id
  if (query.status !== undefined) filter.status = query.status as NonNullable<TemplateFilter['status']>
  if (query.q !== undefined) filter.namePrefix = query.q
  return filter
}

const getTemplate = templates.get('getTemplate', 'Get a template by id or alias', {
  description: 'Includes the content and the variables.',
  params: IdOrAlias,
  response: one,
  read: findTemplate,
  toJson: templateToJson,
})

const changeOne = route('PATCH', '/templates/:id', {
  ...common,
  operationId: 'updateTemplate',
  action: 'templates.update',
  summary: 'Update a template',
  description:
    'Changes only the fields you send, at once, also if the template is published. A draft does not change. Emails accepted earlier do not change.',
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
    'Emails accepted earlier do not change, including scheduled ones. Returns 409 while an active campaign or automation uses the template. Other campaigns lose the reference.',
  params: IdOrAlias,
  responses: {
    200: { description: 'The template was deleted.', schema: Deleted },
  },
  async handle({ caller, params, audited }) {
    const id = await audited.transaction((tx) => removeTemplate(tx, caller.teamId, params.id))
    return { status: 200, json: deletedToJson('template', id) }
  },
})

export const templateRoutes: readonly Route<ResourceDeps>[] = [
  addTemplate,
  getTemplates,
  getTemplate,
  changeOne,
  aliasOf(changeOne, { method: 'PUT' }),
  copyTemplate,
  deleteTemplate,
]
