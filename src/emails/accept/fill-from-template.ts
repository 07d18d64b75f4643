import { invalidField } from '../../lib/api-error.ts'
import { quotedMailbox } from '../../mime/address.ts'
import { renderTemplate, TEMPLATE_PARTS } from '../../templates/render-template.ts'
import type { SendTemplate } from '../../templates/template-cache.ts'
import type { SendRequest } from '../request/draft-email.ts'

/** The template of an email, as of acceptance. */
export interface UsedTemplate {
  id: string
  name: string
  /** Identifies the version that was filled in. The commit rejects any other. */
  stamp: string
}

export interface FilledRequest {
  request: SendRequest
  /** Null if the request names no template. */
  template: UsedTemplate | null
}

/**
 * Fills in the template's sender, subject, html, text and reply address where the request gives none, field by
 * field. Given values are used literally; null counts as not given. Throws a validation ApiError on
 * `template.id` for a template that the team does not have or that is a draft, and on `template.variables.KEY`.
 * @param sendTemplate the template that the request names, if any
 */
export function fillFromTemplate(request: SendRequest, sendTemplate: SendTemplate | null): FilledRequest {
  if (request.template === undefined) return { request, template: null }
  const template = requirePublished(sendTemplate)
  const parts = TEMPLATE_PARTS.filter((part) => !isGiven(request[part]))
  const rendered = renderTemplate(
    template.compiled,
    request.template.variables ?? {},
    parts,
    'template.variables',
  )
  const defaults: SendRequest = {
    from: quotedMailbox(template.sender.name, template.sender.email),
    ...replyTo(template),
  }
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

/** Removes null fields from the request, so that they do not override the template's. */
function withoutEmpty(request: SendRequest): SendRequest {
  const copy = { ...request }
  for (const field of ['from', 'reply_to', ...TEMPLATE_PARTS] as const) {
    if (!isGiven(copy[field])) delete copy[field]
  }
  return copy
}

function replyTo({ replyTo, sender }: SendTemplate): Pick<SendRequest, 'reply_to'> {
  const address = replyTo ?? sender.replyTo
  return address === null ? {} : { reply_to: address }
}
