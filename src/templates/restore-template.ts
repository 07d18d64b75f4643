import type { Tx } from '../db/db-types.ts'
import { lockSender } from '../domains/senders-queries.ts'
import { orNotFound } from '../lib/api-error.ts'
import type { Authorship } from './template-versions.ts'
import { findTemplateVersion } from './template-versions-queries.ts'
import { changeTemplate } from './templates.ts'
import { holdTemplate, type Template } from './templates-queries.ts'

/**
 * Restores an old version as a new one. The status, name, alias and folder do not change. If the version's sender was
 * deleted, the template keeps its current sender. Throws ApiError `not_found`.
 */
export async function restoreTemplateVersion(
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
