import Type from 'typebox'
import { PAGE_PARAMETERS } from '../http/route/page.ts'
import { Resource, type ResourceDeps } from '../http/route/resource.ts'
import type { Route } from '../http/route/route.ts'
import { omitUndefined } from '../lib/omit-undefined.ts'
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

const TemplateQuery = Type.Object({
  ...PAGE_PARAMETERS,
  folder_id: Type.Optional(Type.String({ format: 'uuid', description: 'Templates in this folder.' })),
  status: Type.Optional(Type.Enum(['published', 'draft'], { description: 'Templates with this status.' })),
  q: Type.Optional(Type.String({ maxLength: 255, description: 'Start of the name, case-insensitive.' })),
})

function readFilter(query: { folder_id?: string; status?: unknown; q?: string }): TemplateFilter {
  const { folder_id: folderId, status, q: namePrefix } = query
  return omitUndefined({ folderId, status: status as TemplateFilter['status'], namePrefix })
}

const templates = new Resource('/templates', 'template', {
  area: 'templates',
  permission: 'full',
  noun: 'template',
  params: IdOrAlias,
  schema: TemplateAnswer,
  toJson: templateToJson,
})

export const templateRoutes: readonly Route<ResourceDeps>[] = [
  templates.create('createTemplate', 'Create a template', {
    description:
      '`{{KEY}}` inserts a variable: escaped in HTML, literal in the subject and text. `{{{KEY}}}` is never escaped, and `{{{KEY|fallback}}}` has a fallback. White space inside the braces is ignored. Variables inside values are not expanded. Other text in braces is literal.',
    body: TemplateInput,
    bodyExtends: 'UpdateTemplateRequest',
    input: (body) => ({ ...readTemplate(body), name: body.name, subject: body.subject }),
    create: (tx, teamId, input, now, { caller }) =>
      createTemplate(tx, teamId, input, authorshipOf(caller, now)),
  }),
  templates.list('listTemplates', 'List templates', {
    description: 'Newest first, without content and variables.',
    query: TemplateQuery,
    schema: TemplateSummaryAnswer,
    response: 'A page of templates.',
    async read(db, teamId, page, { query }) {
      const filter = readFilter(query)
      const list = await listTemplates(db, teamId, filter, page)
      const isFiltered = Object.keys(filter).length > 0
      return isFiltered ? { ...list, total: await countTemplates(db, teamId, filter) } : list
    },
    counter: TEMPLATE_COUNTER,
    toJson: templateSummaryToJson,
  }),
  templates.get('getTemplate', 'Get a template by id or alias', {
    description: 'Includes the content and the variables.',
    read: findTemplate,
  }),
  ...templates.update('updateTemplate', 'Update a template', {
    description:
      'Changes only the fields you send, at once, also if the template is published. A draft does not change. Emails accepted earlier do not change.',
    body: TemplateChange,
    input: readTemplate,
    update: (tx, teamId, id, changes, now, { caller }) =>
      changeTemplate(tx, teamId, id, changes, authorshipOf(caller, now)),
  }),
  templates.act('duplicate', 'duplicateTemplate', 'Duplicate a template', {
    description: 'The copy is a draft in the same folder, named `Copy of ...`, without an alias.',
    status: 201,
    response: 'The copy.',
    act: (tx, teamId, id, now, { caller }) => duplicateTemplate(tx, teamId, id, authorshipOf(caller, now)),
  }),
  templates.delete('deleteTemplate', 'Delete a template', {
    description:
      'Emails accepted earlier do not change, including scheduled ones. Returns 409 while an active campaign or automation uses the template. Other campaigns lose the reference.',
    response: 'The template was deleted.',
    remove: removeTemplate,
  }),
]
