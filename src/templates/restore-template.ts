import type { Tx } from '../db/db-types.ts'
import { lockSender } from '../domains/senders-queries.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Authorship } from './template-versions.ts'
import { findTemplateVersion } from './template-versions-queries.ts'
import { changeTemplate } from './templates.ts'
import { holdTemplate, type Template } from './templates-queries.ts'

/**
 * Makes a new version of what an old one said; its status, name, alias and folder stay. A sender that is gone since leaves
 * the template the one it has. Refuses `not_found`.
 */
export async function restoreTemplateVersion(
  tx: Tx,
  teamId: string,
  idOrAlias: string,
  version: number,
  authorship: Authorship,
): Promise<Template> {
  const template = await holdTemplate(tx, teamId, idOrAlias)
  if (template === null) throw new ApiError('not_found')
  const old = await findTemplateVersion(tx, teamId, template.id, version)
  if (old === null) throw new ApiError('not_found')
  const { subject, html, text, replyTo, variables, senderId } = old
  const hasSender = (await lockSender(tx, teamId, senderId)) !== null
  const changes = { subject, html, text, replyTo, variables, ...(hasSender ? { senderId } : {}) }
  return changeTemplate(tx, teamId, template.id, changes, authorship)
}
