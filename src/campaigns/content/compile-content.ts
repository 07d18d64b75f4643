import { type CompiledTemplate, compileTemplate, TEMPLATE_PARTS } from '../../templates/render-template.ts'
import type { ShownContent } from './campaign-content.ts'
import { compileWithPreview } from './preview-text.ts'

/** Content that is ready to be rendered for many contacts. */
export interface CompiledContent {
  compiled: CompiledTemplate
  /** The keys of its variables that are properties of contacts, in lower case. */
  propertyKeys: readonly string[]
  hasUnsubscribeUrl: boolean
}

const OF_CONTACT = new Set(['EMAIL', 'FIRST_NAME', 'LAST_NAME'])
/** The second is Resend's name. */
const UNSUBSCRIBE_URLS: readonly string[] = ['UNSUBSCRIBE_URL', 'RESEND_UNSUBSCRIBE_URL']

/** Compiles content once. A preview text becomes a hidden part of its HTML, and is left out of a text without HTML. */
export function compileContent(content: ShownContent): CompiledContent {
  const { html, previewText } = content
  const plain = compileTemplate(content)
  const compiled =
    html === null || previewText === null ? plain : { ...plain, html: compileWithPreview(html, previewText) }
  const keys = new Set(TEMPLATE_PARTS.flatMap((part) => compiled[part]?.slots.map(({ key }) => key) ?? []))
  return {
    compiled,
    propertyKeys: [...keys]
      .filter((key) => !OF_CONTACT.has(key) && !UNSUBSCRIBE_URLS.includes(key))
      .map(lower),
    hasUnsubscribeUrl: UNSUBSCRIBE_URLS.some((key) => keys.has(key)),
  }
}

const lower = (key: string) => key.toLowerCase()

/** The values of a contact, or none for an address that no contact has. */
export interface ContactValues {
  email: string | null
  firstName: string | null
  lastName: string | null
  /** The values of properties, by key in lower case. */
  values: Readonly<Record<string, string>>
}

/**
 * Returns the values of the variables, by key.
 * @param fallbacks of properties, by key in lower case
 */
export function valuesFor(
  { compiled }: CompiledContent,
  contact: ContactValues,
  fallbacks: ReadonlyMap<string, string>,
  unsubscribeUrl: string,
): Record<string, string> {
  const given: Record<string, string> = {}
  if (contact.email !== null) given.EMAIL = contact.email
  for (const url of UNSUBSCRIBE_URLS) given[url] = unsubscribeUrl
  if (contact.firstName !== null) given.FIRST_NAME = contact.firstName
  if (contact.lastName !== null) given.LAST_NAME = contact.lastName
  for (const part of TEMPLATE_PARTS) {
    for (const { key } of compiled[part]?.slots ?? []) {
      const value = contact.values[lower(key)] ?? fallbacks.get(lower(key))
      if (value !== undefined) given[key] ??= value
    }
  }
  return given
}
