import Type from 'typebox'
import type { Config } from '../config/config.ts'
import type { Db, Queryable } from '../db/db-types.ts'
import { findSender } from '../domains/senders-queries.ts'
import { listOf, listToJson, PageQuery, readPage } from '../http/page.ts'
import { type Route, routesOf } from '../http/route.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/time/clock.ts'
import { authorshipOf } from './authorship.ts'
import { restoreTemplateVersion } from './restore-template.ts'
import { IdOrAlias, TemplateAnswer, templateToJson } from './template-schemas.ts'
import {
  TemplateVersionAnswer,
  templateVersionToJson,
  VersionSummaryAnswer,
  versionSummaryToJson,
} from './template-version-schemas.ts'
import { VERSIONS_KEPT_MAX } from './template-versions.ts'
import {
  countTemplateVersions,
  findTemplateVersion,
  listTemplateVersions,
} from './template-versions-queries.ts'
import { findTemplate } from './templates-queries.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

const common = { tag: 'Templates', permission: 'full', limit: 'general' } as const

const VersionParams = Type.Object({
  ...IdOrAlias.properties,
  version: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'The number of the version.' }),
})

async function requireTemplate(db: Queryable, teamId: string, idOrAlias: string) {
  const template = await findTemplate(db, teamId, idOrAlias)
  if (template === null) throw new ApiError('not_found')
  return template
}

const getVersions = route('GET', '/templates/:id/versions', {
  ...common,
  operationId: 'listTemplateVersions',
  summary: 'List the versions of a template',
  description: `Each change of the subject, content, variables, sender, or reply address creates a version; the newest is the current template. The newest ${VERSIONS_KEPT_MAX} are kept.`,
  params: IdOrAlias,
  query: PageQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(VersionSummaryAnswer) } },
  async handle({ caller: { teamId }, params, query, deps: { lists, config } }) {
    const page = readPage(query)
    const { id, version } = await requireTemplate(lists, teamId, params.id)
    const { rows, hasMore } = await listTemplateVersions(lists, teamId, id, page)
    const total = await countTemplateVersions(lists, teamId, id)
    const list = { publicUrl: config.publicUrl, path: `/templates/${id}/versions`, query, page, total }
    const data = rows.map((row) => versionSummaryToJson(row, version))
    return { status: 200, json: listToJson({ ...list, hasMore, data }) }
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
    const version = await findTemplateVersion(db, teamId, template.id, Number(params.version))
    if (version === null) throw new ApiError('not_found')
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
    'Creates a new version from the subject, content, variables, sender, and reply address of this one. The name, alias, folder, and status do not change. If the sender was deleted, the template keeps its current sender. If the template already matches the version, nothing changes.',
  params: VersionParams,
  responses: { 200: { description: 'The template.', schema: TemplateAnswer } },
  async handle({ caller, params, audited, deps: { clock } }) {
    const { id, version } = params
    const authorship = authorshipOf(caller, clock)
    const template = await audited.transaction((tx) =>
      restoreTemplateVersion(tx, caller.teamId, id, Number(version), authorship),
    )
    return { status: 200, json: templateToJson(template) }
  },
})

export const templateVersionRoutes: readonly Route<Deps>[] = [getVersions, getVersion, restoreVersion]
