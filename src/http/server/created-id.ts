import { isUuid } from '../../lib/ids.ts'

/** Returns the id of the record in the response to a POST, or null. */
export function createdId(method: string, json: unknown): string | null {
  if (method !== 'POST' || typeof json !== 'object' || json === null) return null
  const { id } = json as { id?: unknown }
  return typeof id === 'string' && isUuid(id) ? id : null
}
