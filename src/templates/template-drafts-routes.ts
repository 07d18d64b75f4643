import Type from 'typebox'
import { findSender } from '../domains/senders-queries.ts'
import { deletedToJson } from '../http/route/present.ts'
import type { ResourceDeps } from '../http/route/resource.ts'
import { aliasOf, type Route, routesOf } from '../http/route/route.ts'
import { Deleted } from '../http/route/schemas.ts'
import { orNotFound } from '../lib/api-error.ts'
import { authorshipOf } from './authorship.ts'
import {
  readDraft,
  TemplateDraftAnswer,
  TemplateDraftChange,
  templateDraftToJson,
} from './template-draft-schemas.ts'
import { discardTemplateDraft, publishTemplate, saveTemplateDraft } from './template-drafts.ts'
import { findTemplateDraft } from './template-drafts-queries.ts'
import { IdOrAlias, TemplateAnswer, templateToJson } from './template-schemas.ts'
import { findTemplate } from './templates-queries.ts'

const { route } = routesOf<ResourceDeps>()

const common = { area: 'templates', permission: 'full' } as const
const one = { description: 'The draft.', schema: TemplateDraftAnswer }

const RevisionQuery = Type.Object({
  revision: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'The revision of the draft you read. Returns 409 if it is not the current one.',
    }),
  ),
})

const getDraft = route('GET', '/templates/:id/draft', {
  ...common,
  operationId: 'getTemplateDraft',
  summary: 'Get the draft of a template',
  description: 'The unpublished changes. Returns 404 if there are none.',
  params: IdOrAlias,
  responses: { 200: one },
  async handle({ caller: { teamId }, params, deps: { db } }) {
    const template = orNotFound(await findTemplate(db, teamId, params.id))
    const draft = orNotFound(await findTemplateDraft(db, teamId, template.id))
    const sender = (await findSender(db, teamId, draft.senderId)) ?? template.sender
    return { status: 200, json: templateDraftToJson({ draft, template, sender }) }
  },
})

const saveDraft = route('PATCH', '/templates/:id/draft', {
  ...common,
  operationId: 'saveTemplateDraft',
  action: 'templates.draft.save',
  summary: 'Save a draft of a template',
  description:
    'Stores changes of a template that emails do not use until you publish it. Fields you omit stay as in the draft, or else as in the template.',
  params: IdOrAlias,
  body: TemplateDraftChange,
  responses: { 200: one },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const changes = readDraft(body)
    const saved = await audited.transaction((tx) =>
      saveTemplateDraft(tx, caller.teamId, params.id, changes, authorshipOf(caller, clock.now())),
    )
    return { status: 200, json: templateDraftToJson(saved) }
  },
})

const discardDraft = route('DELETE', '/templates/:id/draft', {
  ...common,
  operationId: 'discardTemplateDraft',
  action: 'templates.draft.discard',
  summary: 'Discard the draft of a template',
  description: 'Emails keep using the published content.',
  params: IdOrAlias,
  query: RevisionQuery,
  responses: { 200: { description: 'The draft was discarded.', schema: Deleted } },
  async handle({ caller, params, query, audited }) {
    const id = await audited.transaction((tx) =>
      discardTemplateDraft(tx, caller.teamId, params.id, query.revision),
    )
    return { status: 200, json: deletedToJson('template_draft', id) }
  },
})

const publish = route('POST', '/templates/:id/publish', {
  ...common,
  operationId: 'publishTemplate',
  action: 'templates.publish',
  summary: 'Publish a template',
  description:
    'Publishes the template with its draft, if it has one that is not outdated. Only published templates can be used for sending.',
  params: IdOrAlias,
  query: RevisionQuery,
  responses: { 200: { description: 'The template.', schema: TemplateAnswer } },
  async handle({ caller, params, query, audited, deps: { clock } }) {
    const template = await audited.transaction((tx) =>
      publishTemplate(tx, caller.teamId, params.id, query.revision, authorshipOf(caller, clock.now())),
    )
    return { status: 200, json: templateToJson(template) }
  },
})

export const templateDraftRoutes: readonly Route<ResourceDeps>[] = [
  publish,
  getDraft,
  saveDraft,
  aliasOf(saveDraft, { method: 'PUT' }),
  discardDraft,
]
