import type { Tx } from '../db/db-types.ts'
import { isInFollowedVersion, jsonpathIs } from '../db/references.ts'
import { violates } from '../db/sqlstate.ts'
import { lockSender, type Sender } from '../domains/senders-queries.ts'
import { senderOf } from '../domains/template-sender.ts'
import { ApiError, type FieldErrors, invalidField, orNotFound, throwInvalid } from '../lib/api-error.ts'
import { isUuid, newId } from '../lib/ids.ts'
import { cutText } from '../lib/text/cut-text.ts'
import { parseMailbox } from '../mime/address.ts'
import {
  findKeys,
  isNumeric,
  PLACE_COUNT_MAX,
  type TemplateSource,
  VARIABLE_COUNT_MAX,
} from './render-template.ts'
import { deleteTemplateDraft } from './template-drafts-queries.ts'
import { lockTemplateFolder } from './template-folders-queries.ts'
import { type Authorship, storeFirstVersion, storeNextVersion } from './template-versions.ts'
import { deleteTemplateVersions } from './template-versions-queries.ts'
import {
  deleteTemplate,
  findTemplateUses,
  holdTemplate,
  insertTemplate,
  type Template,
  type TemplateStatus,
  type TemplateVariable,
  updateTemplate,
} from './templates-queries.ts'

/** The fields of a template in a request. On update, missing fields stay unchanged. An empty text means none. */
export interface TemplateChanges {
  name?: string
  /** Takes precedence over `from`. */
  senderId?: string
  /** One mailbox. Selects the team's sender with that address, which is created if it does not exist. */
  from?: string
  subject?: string
  folderId?: string | null
  alias?: string | null
  html?: string | null
  text?: string | null
  replyTo?: string | null
  status?: TemplateStatus
  variables?: TemplateVariable[]
  /** Set when a draft is published. */
  publishedAt?: Date
}

interface TemplateInput extends TemplateChanges {
  name: string
  subject: string
}

/**
 * Creates a template. Throws ApiError: `validation_error` with every error that can be found without a look-up, or
 * else the first that a look-up finds; `conflict` when the alias is taken.
 */
export async function createTemplate(
  tx: Tx,
  teamId: string,
  input: TemplateInput,
  authorship: Authorship,
): Promise<Template> {
  const { now } = authorship
  const content = {
    name: input.name,
    alias: orNull(input.alias),
    subject: input.subject,
    html: orNull(input.html),
    text: orNull(input.text),
    replyTo: orNull(input.replyTo),
    variables: input.variables ?? [],
  }
  const errors = findContentErrors(content)
  if (input.senderId === undefined && input.from === undefined) {
    errors.sender_id = ['The sender_id field is required.']
  }
  throwIfAny(errors)
  const status = input.status ?? 'published'
  const template: Template = {
    teamId,
    id: newId(now.getTime()),
    ...content,
    status,
    sender: (await readSender(tx, teamId, input, now)) as Sender,
    folderId: await readFolder(tx, teamId, input.folderId ?? null),
    version: 1,
    publishedAt: status === 'published' ? now : null,
    hasDraft: false,
    createdAt: now,
    updatedAt: now,
  }
  await reportAliasConflict(insertTemplate(tx, template))
  await storeFirstVersion(tx, template, authorship)
  return template
}

/**
 * Changes the given fields. Throws the same errors as createTemplate, and `not_found`. Emails accepted earlier do not
 * change.
 */
export async function changeTemplate(
  tx: Tx,
  teamId: string,
  idOrAlias: string,
  changes: TemplateChanges,
  authorship: Authorship,
): Promise<Template> {
  const { now } = authorship
  const before = orNotFound(await holdTemplate(tx, teamId, idOrAlias))
  const content = {
    name: changes.name ?? before.name,
    alias: changes.alias === undefined ? before.alias : orNull(changes.alias),
    subject: changes.subject ?? before.subject,
    html: changes.html === undefined ? before.html : orNull(changes.html),
    text: changes.text === undefined ? before.text : orNull(changes.text),
    replyTo: changes.replyTo === undefined ? before.replyTo : orNull(changes.replyTo),
    variables: changes.variables ?? before.variables,
  }
  validateContent(changes.alias === undefined ? { ...content, alias: null } : content)
  const status = changes.status ?? before.status
  const sender = (await readSender(tx, teamId, changes, now)) ?? before.sender
  const template: Template = {
    ...before,
    ...content,
    status,
    sender,
    folderId:
      changes.folderId === undefined ? before.folderId : await readFolder(tx, teamId, changes.folderId),
    version: isRenderedAlike(before, { ...content, sender }) ? before.version : before.version + 1,
    publishedAt:
      changes.publishedAt ?? (status === 'published' && before.status === 'draft' ? now : before.publishedAt),
    updatedAt: now,
  }
  await reportAliasConflict(updateTemplate(tx, template))
  await storeNextVersion(tx, before, template, authorship)
  return template
}

/** Copies a template as a draft without its alias. Throws ApiError `not_found`. */
export async function duplicateTemplate(
  tx: Tx,
  teamId: string,
  idOrAlias: string,
  authorship: Authorship,
): Promise<Template> {
  const { now } = authorship
  // The lock keeps the sender from being deleted before the copy refers to it.
  const original = orNotFound(await holdTemplate(tx, teamId, idOrAlias))
  await lockSender(tx, teamId, original.sender.id)
  const { folderId } = original
  const copy: Template = {
    ...original,
    id: newId(now.getTime()),
    name: cutText(`Copy of ${original.name}`, NAME_LENGTH_MAX),
    alias: null,
    status: 'draft',
    folderId: folderId !== null && (await lockTemplateFolder(tx, teamId, folderId)) ? folderId : null,
    version: 1,
    publishedAt: null,
    hasDraft: false,
    createdAt: now,
    updatedAt: now,
  }
  await insertTemplate(tx, copy)
  await storeFirstVersion(tx, copy, authorship)
  return copy
}

const NAME_LENGTH_MAX = 255

/**
 * Deletes a template and returns its id. Emails accepted earlier do not change. Throws ApiError `not_found`, and
 * `conflict` while an active campaign or automation uses the template.
 */
export async function removeTemplate(tx: Tx, teamId: string, idOrAlias: string): Promise<string> {
  const template = orNotFound(await holdTemplate(tx, teamId, idOrAlias))
  const { byActiveCampaigns, byActiveAutomations } = await findTemplateUses(tx, teamId, template.id)
  if (byActiveCampaigns) {
    throw new ApiError('conflict', 'This template is used by active campaigns and cannot be deleted.')
  }
  const byAlias =
    template.alias === null ? [] : [`$.steps[*].config.template.id ? ${jsonpathIs(template.alias)}`]
  if (byActiveAutomations || (await isInFollowedVersion(tx, teamId, template.id, byAlias))) {
    throw new ApiError('conflict', 'This template is used by active automations and cannot be deleted.')
  }
  await deleteTemplate(tx, teamId, template.id)
  await deleteTemplateDraft(tx, teamId, template.id)
  await deleteTemplateVersions(tx, teamId, template.id, template.version)
  return template.id
}

/** An empty text means none. */
export function orNull(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text
}

type Content = Pick<Template, 'name' | 'alias' | 'subject' | 'html' | 'text' | 'replyTo' | 'variables'>

type Rendered = Pick<Template, 'subject' | 'html' | 'text' | 'replyTo' | 'variables' | 'sender'>

export function isRenderedAlike(before: Rendered, after: Rendered): boolean {
  const { subject, html, text, replyTo, variables, sender } = after
  return (
    before.subject === subject &&
    before.replyTo === replyTo &&
    before.sender.id === sender.id &&
    before.html === html &&
    before.text === text &&
    JSON.stringify(before.variables.map(asTuple)) === JSON.stringify(variables.map(asTuple))
  )
}

/** Converts a variable to a tuple, because PostgreSQL's jsonb does not keep the order of keys. */
function asTuple({ key, type, fallback_value }: TemplateVariable): unknown[] {
  return [key, type, fallback_value]
}

function throwIfAny(errors: FieldErrors): void {
  throwInvalid(errors)
}

/** Line breaks end a header field; the other control characters never belong in one. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u
/** The alias is part of a URL path, where a segment of dots alone would be a relative one, and `preview` is a literal one. */
const ALIAS = /^(?!preview$)[a-z0-9][a-z0-9._-]*$/i
const ALIAS_PROBLEM =
  'The alias field must be letters, digits, dots, underscores and hyphens, and neither a UUID nor preview.'

/** Throws a validation ApiError with every error that can be found without a look-up. */
export function validateContent(content: Content): void {
  throwIfAny(findContentErrors(content))
}

function findContentErrors({ alias, html, text, replyTo, ...rest }: Content): FieldErrors {
  const errors: FieldErrors = {}
  if (html === null && text === null) {
    errors.html_content = ['The html_content field is required when text_content is not present.']
    errors.text_content = ['The text_content field is required when html_content is not present.']
  }
  if (replyTo !== null && parseMailbox(replyTo) === null) {
    errors.reply_to = ['The reply_to field must be a valid email address.']
  }
  if (alias !== null && (isUuid(alias) || !ALIAS.test(alias))) {
    errors.alias = [ALIAS_PROBLEM]
  }
  return { ...errors, ...validateSource({ html, text, ...rest }, 'variables') }
}

/**
 * Validates the content that is rendered.
 * @param field the field of the request that holds the variable definitions
 */
export function validateSource(
  { subject, html, text, variables }: TemplateSource,
  field: string,
): FieldErrors {
  const errors: FieldErrors = {}
  if (CONTROL.test(subject)) {
    errors.subject = ['The subject field must not contain line breaks or control characters.']
  }
  validatePlaceholders({ subject, html_content: html, text_content: text }, (field, message) => {
    errors[field] = [message]
  })
  validateVariables(variables, field, errors)
  return errors
}

/** Refuses parts, by their field, with too many placeholders, or whose variables are too many together. */
export function validatePlaceholders(
  parts: Record<string, string | null>,
  refuse: (field: string, message: string) => void,
): void {
  const all = new Set<string>()
  for (const [field, source] of Object.entries(parts)) {
    const keys = findKeys(source ?? '', PLACE_COUNT_MAX)
    if (keys === null) {
      refuse(field, `The ${field} field must not have more than ${PLACE_COUNT_MAX} placeholders.`)
    }
    const before = all.size
    for (const key of keys ?? []) all.add(key)
    if (all.size > VARIABLE_COUNT_MAX && all.size > before) {
      refuse(field, `The ${field} field must not use more than ${VARIABLE_COUNT_MAX} variables.`)
    }
  }
}

function validateVariables(variables: readonly TemplateVariable[], field: string, errors: FieldErrors): void {
  const seen = new Set<string>()
  for (const [index, { key, type, fallback_value }] of variables.entries()) {
    const path = `${field}.${index}`
    if (seen.has(key)) errors[`${path}.key`] = [`The ${path}.key field must be unique.`]
    seen.add(key)
    if (type === 'number' && fallback_value !== null && !isNumeric(fallback_value)) {
      errors[`${path}.fallback_value`] = [`The ${path}.fallback_value field must be a number.`]
    }
  }
}

/**
 * Finds the sender named in the request and locks it until the transaction ends; null when the request names none.
 */
export async function readSender(
  tx: Tx,
  teamId: string,
  { senderId, from }: TemplateChanges,
  now: Date,
): Promise<Sender | null> {
  if (senderId === undefined) return from === undefined ? null : senderOf(tx, teamId, from, now)
  const sender = await lockSender(tx, teamId, senderId)
  if (sender !== null) return sender
  throw invalidField('sender_id', 'The sender_id field must be the id of a sender of this account.')
}

async function readFolder(tx: Tx, teamId: string, folderId: string | null): Promise<string | null> {
  if (folderId === null || (await lockTemplateFolder(tx, teamId, folderId))) {
    return folderId?.toLowerCase() ?? null
  }
  throw invalidField('folder_id', 'The folder_id field must be the id of a template folder of this account.')
}

async function reportAliasConflict(writing: Promise<void>): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (!violates(error, 'template_alias_unique')) throw error
    throw new ApiError('conflict', 'A template with this alias already exists.')
  }
}
