import type { SendRequest } from '../../emails/request/draft-email.ts'
import type { UnsubscribeScope } from '../../emails/request/unsubscribe-scope.ts'
import {
  type CompiledTemplate,
  compileTemplate,
  renderTemplate,
  TEMPLATE_PARTS,
} from '../../templates/render-template.ts'
import type { VersionContent } from '../rows/runs-queries.ts'
import type { LiveContact } from './audience-contacts-queries.ts'
import { withPreviewText } from './preview-text.ts'

/** A version that is ready to be rendered for many contacts. */
export interface CompiledVersion<Version extends VersionContent = VersionContent> {
  version: Version
  compiled: CompiledTemplate
  /** The keys of its variables that are properties of contacts, in lower case. */
  propertyKeys: readonly string[]
  hasUnsubscribeUrl: boolean
}

const OF_CONTACT = new Set(['EMAIL', 'FIRST_NAME', 'LAST_NAME'])
/** The second is Resend's name. */
export const UNSUBSCRIBE_URLS = ['UNSUBSCRIBE_URL', 'RESEND_UNSUBSCRIBE_URL'] as const

export function compileVersion<Version extends VersionContent>(version: Version): CompiledVersion<Version> {
  // With a preview text, the html is compiled in two parts.
  const source = version.previewText === null ? version : { ...version, html: null }
  const compiled = withPreviewText(compileTemplate(source), version)
  const keys = new Set(TEMPLATE_PARTS.flatMap((part) => compiled[part]?.slots.map(({ key }) => key) ?? []))
  const urls: readonly string[] = UNSUBSCRIBE_URLS
  return {
    version,
    compiled,
    propertyKeys: [...keys].filter((key) => !OF_CONTACT.has(key) && !urls.includes(key)).map(lower),
    hasUnsubscribeUrl: urls.some((key) => keys.has(key)),
  }
}

const lower = (key: string) => key.toLowerCase()

export interface Values {
  /** Null: only fallbacks count. */
  contact: LiveContact | null
  /** The fallbacks of properties, by key in lower case. */
  fallbacks: ReadonlyMap<string, string>
  unsubscribeUrl: string
}

/** Returns the request for a contact's email. Throws a validation ApiError that names the variables without a value. */
export function renderFor(
  { version, compiled }: CompiledVersion,
  values: Values & { contact: LiveContact },
  scope: UnsubscribeScope,
): SendRequest {
  const variables = valuesOf(compiled, values)
  const { subject, html, text } = renderTemplate(compiled, variables, TEMPLATE_PARTS, 'variables')
  return {
    from: version.sender,
    to: values.contact.email,
    ...(version.replyTo !== null && { reply_to: version.replyTo }),
    subject: subject ?? '',
    html,
    ...(text !== null && { text }),
    unsubscribe: scope.kind === 'list' ? { list_id: scope.listId } : { topic: scope.topic },
    class: 'bulk',
  }
}

/** Returns the values of a contact, by variable. A variable without one is left out. */
export function valuesOf(
  compiled: CompiledTemplate,
  { contact, fallbacks, unsubscribeUrl }: Values,
): Record<string, string> {
  // Keys may be names that every object has, such as `constructor`.
  const variables: Record<string, string> = Object.create(null)
  for (const url of UNSUBSCRIBE_URLS) variables[url] = unsubscribeUrl
  if (contact !== null) {
    variables.EMAIL = contact.email
    if (contact.firstName !== null) variables.FIRST_NAME = contact.firstName
    if (contact.lastName !== null) variables.LAST_NAME = contact.lastName
  }
  for (const part of TEMPLATE_PARTS) {
    for (const { key } of compiled[part]?.slots ?? []) {
      const name = lower(key)
      const own = contact !== null && Object.hasOwn(contact.values, name) ? contact.values[name] : null
      const value = own ?? fallbacks.get(name)
      if (value !== undefined) variables[key] ??= value
    }
  }
  return variables
}
