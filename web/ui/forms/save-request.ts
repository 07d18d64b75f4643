import type { Change } from '../../api/team.ts'

interface Saved {
  /** API path of the collection, for example `/lists`. */
  path: string
  /** Null to create a record. */
  id: string | null
  /** How a record is changed. Default PATCH. */
  method?: 'PATCH' | 'PUT'
}

/** Returns the request of a form that creates a record, or changes it: then with the changed fields alone. */
export function saveRequest<B extends object>(
  { path, id, method = 'PATCH' }: Saved,
  body: B,
  before: B,
): Change {
  return id === null
    ? { path, method: 'POST', body }
    : { path: `${path}/${id}`, method, body: changedFields(body, before) }
}

/**
 * Returns the fields that the user changed. The others are not sent, because people and programs may have changed them since
 * the form opened.
 * @param before the same fields when the form opened
 */
export function changedFields<B extends object>(body: B, before: B): Partial<B> {
  const isChanged = (field: string) =>
    JSON.stringify(body[field as keyof B]) !== JSON.stringify(before[field as keyof B])
  return Object.fromEntries(Object.entries(body).filter(([field]) => isChanged(field))) as Partial<B>
}
