import Type from 'typebox'
import type { Queryable, Tx } from '../db/db-types.ts'
import { findSender, lockSender } from '../domains/senders-queries.ts'
import { listOf, PageQuery, pageReply, readPage } from '../http/route/page.ts'
import type { ResourceDeps } from '../http/route/resource.ts'
import { type Route, routesOf } from '../http/route/route.ts'
import { orNotFound } from '../lib/api-error.ts'
import { authorshipOf } from './authorship.ts'
import { IdOrAlias, TemplateAnswer, templateToJson } from './template-schemas.ts'
import {
  TemplateVersionAnswer,
  templateVersionToJson,
  VersionSummaryAnswer,
  versionSummaryToJson,
} from './template-version-schemas.ts'
import { type Authorship, VERSIONS_KEPT_MAX } from './template-versions.ts'
import {
  countTemplateVersions,
  findTemplateVersion,
  listTemplateVersions,
} from './template-versions-queries.ts'
import { changeTemplate } from './templates.ts'
import { findTemplate, holdTemplate, type Template } from './templates-queries.ts'

const { route } = routesOf<ResourceDeps>()

const common = { area: 'templates', permission: 'full' } as const

const VersionParams = Type.Object({
  ...IdOrAlias.properties,
  version: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'Number of the version.' }),
})

async function requireTemplate(db: Queryable, teamId: string, idOrAlias: string) {
  return orNotFound(await findTemplate(db, teamId, idOrAlias))
}

const getVersions = route('GET', '/templates/:id/versions', {
  ...common,
  operationId: 'listTemplateVersions',
  summary: 'List the versions of a template',
  description: `Each change of the subject, content, variables, sender, or reply address creates a version; the newest is the current template. The newest ${VERSIONS_KEPT_MAX} are kept.`,
  params: IdOrAlias,
  query: PageQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(VersionSummaryAnswer) } },
  async handle(request) {
    const { teamId } = request.caller
    const { lists } = request.deps
    const page = readPage(request.query)
    const { id, version } = await requireTemplate(lists, teamId, request.params.id)
    const versions = await listTemplateVersions(lists, teamId, id, page)
    const total = await countTemplateVersions(lists, teamId, id)
    return pageReply(request, `/templates/${id}/versions`, { ...versions, page, total }, (row) =>
      versionSummaryToJson(row, version),
    )
  },
})

const getVersion = route('GET', '/templates/:id/versions/:version', {
  ...common,
  operationId: 'getTemplateVersion',
  summary: 'Get a version of a template',
  description: 'The subject, content, variables, sender, and reply address of that version.',
  params: VersionParams,
  responses: { 200: { description: 'The version.', schema: TemplateVersionAnswer } },
  async handle({ caller: { teamId }, params, deps: { db } }) {
    const template = await requireTemplate(db, teamId, params.id)
    const version = orNotFound(await findTemplateVersion(db, teamId, template.id, Number(params.version)))
    const sender = await findSender(db, teamId, version.senderId)
    return { status: 200, json: templateVersionToJson(version, sender, template.version) }
  },
})

const restoreVersion = route('POST', '/templates/:id/versions/:version/restore', {
  ...common,
  operationId: 'restoreTemplateVersion',
  action: 'templates.versions.restore',
  summary: 'Restore a version of a template',
  description:
    'Creates a version with the subject, content, variables, sender, and reply address of this one. If the sender was deleted, the template keeps its current one. Nothing changes if the template already matches.',
  params: VersionParams,
  responses: { 200: { description: 'The template.', schema: TemplateAnswer } },
  async handle({ caller, params, audited, deps: { clock } }) {
    const { id, version } = params
    const authorship = authorshipOf(caller, clock.now())
    const template = await audited.transaction((tx) =>
      restoreTemplateVersion(tx, caller.teamId, id, Number(version), authorship),
    )
    return { status: 200, json: templateToJson(template) }
  },
})

/**
 * Restores an old version as a new one. The status, name, alias and folder do not change. If the version's sender was
 * deleted, the template keeps its current sender. Throws ApiError `not_found`.
 */
async function restoreTemplateVersion(
  tx: Tx,
  teamId: string,
  idOrAlias: string,
  version: number,
  authorship: Authorship,
): Promise<Template> {
  const template = orNotFound(await holdTemplate(tx, teamId, idOrAlias))
  const old = orNotFound(await findTemplateVersion(tx, teamId, template.id, version))
  const { subject, html, text, replyTo, variables, senderId } = old
  const hasSender = (await lockSender(tx, teamId, senderId)) !== null
  const changes = { subject, html, text, replyTo, variables, ...(hasSender ? { senderId } : {}) }
  return changeTemplate(tx, teamId, template.id, changes, authorship)
}

export const templateVersionRoutes: readonly Route<ResourceDeps>[] = [getVersions, getVersion, restoreVersion]
