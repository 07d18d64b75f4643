/** Returns the object that a text of JSON stands for: an empty one for an empty text, null for anything else. */
export function parseObject(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** Returns why a text is not an object of JSON; null if it is. */
export const errorText = (text: string): string | null =>
  parseObject(text) === null ? 'This is not a JSON object.' : null

export const showJson = (value: unknown): string => JSON.stringify(value, null, 2)

/** A text of JSON as it was typed. */
export interface TypedJson {
  text: string
  /** The value that it stands for, or while it cannot be parsed, that of the field; as JSON, undefined if it is not set. */
  stands: string | undefined
}

/** Returns the text of a field: as it was typed, unless the value was changed elsewhere, as by Undo. Empty if nothing is set. */
export function shownText(typed: TypedJson | null, value: unknown): string {
  if (typed !== null && typed.stands === JSON.stringify(value)) return typed.text
  const isUnset =
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return isUnset ? '' : showJson(value)
}

/** Returns the value of a text of JSON, undefined if it is empty; null if it cannot be parsed. */
export function parseValue(text: string): { value: unknown } | null {
  if (text.trim() === '') return { value: undefined }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return null
  }
}

/** Returns a text as it is typed into a field with a value. */
export function typedJson(text: string, value: unknown): TypedJson {
  const read = parseValue(text)
  return { text, stands: JSON.stringify(read === null ? value : read.value) }
}
