import type { Contact, Property } from '../../api/records.ts'

/** The values of a form's fields, by property key. */
export type PropertyDraft = Readonly<Record<string, string>>

const MIDNIGHT = ' 00:00:00'

/** Returns the contact's own value as shown in a field. A date without a time is a day. */
export function showValue({ key, type }: Property, values: Contact['properties']): string {
  // The API returns the keys in upper case.
  const value = values[key.toUpperCase()]
  if (value === undefined) return ''
  const text = String(value)
  return type === 'date' && text.endsWith(MIDNIGHT) ? text.slice(0, -MIDNIGHT.length) : text
}

/** Returns the initial values of the property fields. */
export function draftOf(properties: readonly Property[], values: Contact['properties']): PropertyDraft {
  return Object.fromEntries(properties.map((property) => [property.key, showValue(property, values)]))
}

/**
 * Returns the changed values for the API; null for removed ones.
 * @param before the values when the form opened: the contact may have changed since
 */
export function changesOf(
  properties: readonly Property[],
  draft: PropertyDraft,
  before: PropertyDraft,
): Record<string, string | null> {
  return Object.fromEntries(
    properties.flatMap((property) => {
      const text = draft[property.key] ?? ''
      if (text === (before[property.key] ?? '')) return []
      const isText = property.type === 'string'
      const value = isText ? text : toInstant(text.trim())
      return [[property.key, value === '' ? null : value]]
    }),
  )
}

/** Converts `2026-01-31 09:30`, as people and the API write it, to ISO 8601. */
const toInstant = (text: string) => text.replace(/^(\d{4}-\d\d-\d\d) (\d)/, '$1T$2')
