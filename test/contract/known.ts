import { expect } from 'vitest'
import { CHANGES, type Kind } from './resources.ts'
import type { DocumentedRoute } from './routes.ts'
import type { Scene } from './scene.ts'

const kept = new WeakMap<Scene, Map<string, Promise<{ id: string }>>>()

/** Returns one record of each kind, which the generated rows of a section share. */
// biome-ignore lint/suspicious/noExplicitAny: rows read responses freely; a wrong access fails the row
export function known(scene: Scene, kind: Kind): Promise<any> {
  const records = kept.get(scene) ?? new Map<string, Promise<{ id: string }>>()
  kept.set(scene, records)
  const record = records.get(kind) ?? scene.made(kind, kind === 'email' ? { scheduled_at: inDays(1) } : {})
  records.set(kind, record)
  return record
}

export const inDays = (days: number): string => new Date(Date.now() + days * 24 * 3_600_000).toISOString()

/** An id that was never assigned. */
export const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000'

/** Returns the route's path with this id. A second id in it is unknown; a number is 1. */
export const pathWith = (route: DocumentedRoute, id: string): string =>
  route.path
    .replace('{id}', id)
    .replace(/\{(listId|deliveryId|segmentId|eventId)\}/, UNKNOWN_ID)
    .replace('{version}', '1')
    .replace('{index}', '0')

/** Returns the route's path with the id of an existing record of the shared team of `scene`. */
export async function realPath(scene: Scene, route: DocumentedRoute): Promise<string> {
  if (route.kind === null || route.kind === 'captured') return route.path
  const { id } = await known(scene, route.kind)
  expect(id).toBeTypeOf('string')
  return pathWith(route, id)
}

/** Returns a body that the route accepts, so that only the id can be rejected; undefined when it takes none. */
export function goodBody(route: DocumentedRoute): Record<string, unknown> | undefined {
  if (!route.hasBody) return undefined
  if (route.method === 'POST') {
    if (route.path.endsWith('/replay')) return { since: '2026-01-01T00:00:00Z' }
    return route.path.endsWith('/lists') ? { list_ids: [] } : { variables: {} }
  }
  if (route.kind === 'email') return { scheduled_at: inDays(2) }
  return { ...CHANGES[route.kind as keyof typeof CHANGES] }
}
