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
