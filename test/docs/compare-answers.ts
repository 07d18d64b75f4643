import { expect } from 'vitest'

const MADE =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\bsw_(?:[a-z0-9]{1,8}_)?[0-9A-Za-z]{40}\b/g
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

/** The real ids and keys, by those in the guide. */
export type Ids = ReadonlyMap<string, string>

/** Replaces the ids and keys of the guide by the real ones. */
export const realIds = (text: string, ids: Ids) => text.replaceAll(MADE, (id) => ids.get(id) ?? id)

/** Compares the last reply, and stores the real id for the one in the guide. */
export function expectLastReply(shown: string, actual: string, ids: Map<string, string>): void {
  const [id] = shown.match(MADE) ?? []
  const [real] = actual.match(MADE) ?? []
  if (id !== undefined && real !== undefined) ids.set(id, ids.get(id) ?? real)
  expect(actual).toBe(realIds(shown.trim(), ids))
}

/** Compares the response in the guide with the real one, and stores the real ids. */
export function expectAnswer(shown: unknown, actual: unknown, ids: Map<string, string>, path = '$'): void {
  if (shown === '…') return
  if (typeof shown === 'string' && typeof actual === 'string') {
    expectText(shown, actual, ids, path)
    return
  }
  if (typeof shown !== 'object' || shown === null || typeof actual !== 'object' || actual === null) {
    expect(actual, path).toEqual(shown)
    return
  }
  if (Array.isArray(shown)) expect(actual, path).toHaveLength(shown.length)
  else expect(Object.keys(actual), path).toEqual(expect.arrayContaining(Object.keys(shown)))
  for (const [name, value] of Object.entries(shown)) {
    expectAnswer(value, (actual as Record<string, unknown>)[name], ids, `${path}.${name}`)
  }
}

export function expectText(shown: string, actual: string, ids: Map<string, string>, path: string): void {
  const [id] = shown.match(MADE) ?? []
  const [real] = actual.match(MADE) ?? []
  if (id === shown && real === actual) {
    ids.set(id, ids.get(id) ?? real)
    expect(actual, path).toBe(ids.get(id))
  } else if (TIME.test(shown)) expect(actual, path).toMatch(TIME)
  else if (shown.includes('…'))
    expect(actual, path).toSatisfy(() => hasParts(actual, realIds(shown, ids).split('…')))
  else expect(actual, path).toBe(realIds(shown, ids))
}

/**
 * Returns whether the text starts with the first part, ends with the last, and has the others between them in order.
 */
function hasParts(text: string, parts: readonly string[]): boolean {
  let at = 0
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.startsWith(parts[0] ?? '') && text.endsWith(parts.at(-1) ?? '')
}
