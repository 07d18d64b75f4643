import type { Tx } from '../db/db-types.ts'
import { lockSender, type Sender } from '../domains/senders-queries.ts'
import { ApiError, invalidField, orNotFound } from '../lib/api-error.ts'
import {
  deleteTemplateDraft,
  findTemplateDraft,
  storeTemplateDraft,
  type TemplateDraft,
} from './template-drafts-queries.ts'
import type { Authorship } from './template-versions.ts'
import {
  changeTemplate,
  isRenderedAlike,
  orNull,
  readSender,
  type TemplateChanges,
  validateContent,
} from './templates.ts'
import { holdTemplate, type Template } from './templates-queries.ts'

/** The fields of a draft in a request. Missing content fields stay as in the draft, or else as in the template. */
export interface DraftChanges
  extends Pick<TemplateChanges, 'senderId' | 'from' | 'subject' | 'html' | 'text' | 'replyTo' | 'variables'> {
  /** The revision that the caller has seen; 0: no draft. Absent: whichever is stored. */
  revision?: number
  /** The version of the template that the caller has seen. */
  baseVersion?: number
}

/** A draft with the template that it changes. */
export interface DraftOfTemplate {
  draft: TemplateDraft
  template: Template
  /** The template's sender if that of the draft was deleted. */
  sender: Sender
}

/**
 * Saves unpublished content of a template. Emails keep using the template. Throws ApiError `not_found`, `conflict` when
 * the stored revision is another, and `validation_error`.
 */
export async function saveTemplateDraft(
  tx: Tx,
  teamId: string,
  idOrAlias: string,
  changes: DraftChanges,
  { author, now }: Authorship,
): Promise<DraftOfTemplate> {
  const template = orNotFound(await holdTemplate(tx, teamId, idOrAlias))
  const before = await findTemplateDraft(tx, teamId, template.id)
  requireRevision(changes.revision, before)
  const { baseVersion = before?.baseVersion ?? template.version } = changes
  if (baseVersion > template.version) {
    throw invalidField('base_version', 'The base_version field must be a version of the template.')
  }
  const stored = before ?? template
  const content = {
    subject: changes.subject ?? stored.subject,
    html: changes.html === undefined ? stored.html : orNull(changes.html),
    text: changes.text === undefined ? stored.text : orNull(changes.text),
    replyTo: changes.replyTo === undefined ? stored.replyTo : orNull(changes.replyTo),
    variables: changes.variables ?? stored.variables,
  }
  validateContent({ name: template.name, alias: template.alias, ...content })
  const sender = (await readSender(tx, teamId, changes, now)) ?? (await senderOfDraft(tx, before, template))
  if (before !== null && before.baseVersion === baseVersion && before.senderId === sender.id) {
    // A request that is repeated has no further effect, and its revision stays.
    if (isRenderedAlike({ ...before, sender }, { ...content, sender })) {
      return { draft: before, template, sender }
    }
  }
  const draft = {
    ...content,
    teamId,
    templateId: template.id,
    revision: (before?.revision ?? 0) + 1,
    baseVersion,
    senderId: sender.id,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  }
  await storeTemplateDraft(tx, draft, author)
  return {
    draft: orNotFound(await findTemplateDraft(tx, teamId, template.id)),
    template: { ...template, hasDraft: true },
    sender,
  }
}

async function senderOfDraft(tx: Tx, draft: TemplateDraft | null, template: Template): Promise<Sender> {
  return (draft && (await lockSender(tx, draft.teamId, draft.senderId))) ?? template.sender
}

/**
 * Publishes a template with its draft. Without a draft, or with an outdated one, the stored content is published: a program
 * that updates a template and then publishes it must not undo its own update by a draft that somebody else left.
 * @param revision the draft to publish. Throws ApiError `conflict` when it is not the stored one, or is outdated.
 */
export async function publishTemplate(
  tx: Tx,
  teamId: string,
  idOrAlias: string,
  revision: number | undefined,
  authorship: Authorship,
): Promise<Template> {
  const template = orNotFound(await holdTemplate(tx, teamId, idOrAlias))
  const draft = await findTemplateDraft(tx, teamId, template.id)
  requireRevision(revision, draft)
  const isOutdated = draft !== null && draft.baseVersion !== template.version
  if (revision !== undefined && isOutdated) {
    throw new ApiError(
      'conflict',
      'The template changed after this draft was started. Save the draft with the current base_version to replace that change.',
    )
  }
  if (draft === null || isOutdated) {
    return changeTemplate(tx, teamId, template.id, { status: 'published' }, authorship)
  }
  const { subject, html, text, replyTo, variables } = draft
  const { id: senderId } = await senderOfDraft(tx, draft, template)
  await deleteTemplateDraft(tx, teamId, template.id)
  return changeTemplate(
    tx,
    teamId,
    template.id,
    { subject, html, text, replyTo, variables, senderId, status: 'published', publishedAt: authorship.now },
    authorship,
  )
}

/** Deletes the draft of a template and returns the template's id. Throws ApiError `not_found` without a draft. */
export async function discardTemplateDraft(
  tx: Tx,
  teamId: string,
  idOrAlias: string,
  revision: number | undefined,
): Promise<string> {
  const template = orNotFound(await holdTemplate(tx, teamId, idOrAlias))
  const draft = orNotFound(await findTemplateDraft(tx, teamId, template.id))
  requireRevision(revision, draft)
  await deleteTemplateDraft(tx, teamId, template.id)
  return template.id
}

function requireRevision(revision: number | undefined, draft: TemplateDraft | null): void {
  if (revision === undefined || revision === (draft?.revision ?? 0)) return
  throw new ApiError('conflict', 'The draft changed since you read it. Read it again.')
}
