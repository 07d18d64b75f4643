import type { Contact, Property } from '../../api/records.ts'

/** What the fields of a form hold, by the key of a property. */
export type PropertyDraft = Readonly<Record<string, string>>

const MIDNIGHT = ' 00:00:00'

/** The contact's own value as people write it: a date without a time of day is a day. */
export function showValue({ key, type }: Property, values: Contact['properties']): string {
  // The API answers with keys in upper case.
  const value = values[key.toUpperCase()]
  if (value === undefined) return ''
  const text = String(value)
  return type === 'date' && text.endsWith(MIDNIGHT) ? text.slice(0, -MIDNIGHT.length) : text
}

/** What stands in the fields of a contact's properties. */
export function draftOf(properties: readonly Property[], values: Contact['properties']): PropertyDraft {
  return Object.fromEntries(properties.map((property) => [property.key, showValue(property, values)]))
}

/** What to ask the API for: values that changed alone, null for those that were taken away. */
export function changesOf(
  properties: readonly Property[],
  draft: PropertyDraft,
  values: Contact['properties'],
): Record<string, string | null> {
  return Object.fromEntries(
    properties.flatMap((property) => {
      const written = draft[property.key] ?? ''
      if (written === showValue(property, values)) return []
      const isText = property.type === 'string'
      const value = isText ? written : toInstant(written.trim())
      return [[property.key, value === '' ? null : value]]
    }),
  )
}

/** `2026-01-31 09:30` is how people write it, and the API itself; ISO 8601 has a T there. */
const toInstant = (text: string) => text.replace(/^(\d{4}-\d\d-\d\d) (\d)/, '$1T$2')
