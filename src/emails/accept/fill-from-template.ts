import { invalidField } from '../../lib/api-error.ts'
import { renderTemplate, TEMPLATE_PARTS } from '../../templates/render-template.ts'
import type { SendTemplate } from '../../templates/template-cache.ts'
import type { SendRequest } from './draft-email.ts'

/** Which template an email was made from, as of its acceptance. */
export interface UsedTemplate {
  id: string
  name: string
  /** Of the template that was filled in; the commit takes no other. */
  stamp: string
}

export interface FilledRequest {
  request: SendRequest
  /** Null: none was asked for. */
  template: UsedTemplate | null
}

/**
 * Puts the template's sender, subject, html, text and reply address where the request gives none of its own, field by
 * field: what is given stands as it is, literally, and null is not given. Throws a validation ApiError on `template.id`
 * for a template that the team does not have or that is a draft, and on `template.variables.KEY`.
 * @param found the template that the request names, if there is one
 */
export function fillFromTemplate(request: SendRequest, found: SendTemplate | null): FilledRequest {
  if (request.template === undefined) return { request, template: null }
  const template = requirePublished(found)
  const parts = TEMPLATE_PARTS.filter((part) => !isGiven(request[part]))
  const rendered = renderTemplate(
    template.compiled,
    request.template.variables ?? {},
    parts,
    'template.variables',
  )
  const defaults: SendRequest = { from: senderOf(template), ...replyTo(template) }
  for (const part of parts) if (rendered[part] !== null) defaults[part] = rendered[part]
  return {
    request: { ...defaults, ...withoutEmpty(request) },
    template: { id: template.id, name: template.name, stamp: template.stamp },
  }
}

function requirePublished(template: SendTemplate | null): SendTemplate {
  if (template === null) {
    throw invalidField('template.id', 'The template.id field must be the id of a template of this account.')
  }
  if (template.status === 'draft') {
    throw invalidField(
      'template.id',
      'The template is a draft: only published templates can be used for sending.',
    )
  }
  return template
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** What a template could fill is taken from the request only where it is given. */
function withoutEmpty(request: SendRequest): SendRequest {
  const given = { ...request }
  for (const field of ['from', 'reply_to', ...TEMPLATE_PARTS] as const) {
    if (!isGiven(given[field])) delete given[field]
  }
  return given
}

/** Always in quotes: a display name may hold what would end it otherwise (RFC 5322 section 3.4). */
function senderOf({ sender }: SendTemplate): string {
  return `"${sender.name.replace(/[\\"]/g, '\\$&')}" <${sender.email}>`
}

function replyTo({ replyTo, sender }: SendTemplate): Pick<SendRequest, 'reply_to'> {
  const address = replyTo ?? sender.replyTo
  return address === null ? {} : { reply_to: address }
}
