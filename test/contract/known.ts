import { expect } from 'vitest'
import { CHANGES, type Kind } from './resources.ts'
import type { DocumentedRoute } from './routes.ts'
import type { Scene } from './scene.ts'

const kept = new WeakMap<Scene, Map<string, Promise<{ id: string }>>>()

/** One record of each kind that the generated rows of a section share. */
// biome-ignore lint/suspicious/noExplicitAny: rows look into answers freely; a wrong look fails the row
export function known(scene: Scene, kind: Kind): Promise<any> {
  const records = kept.get(scene) ?? new Map<string, Promise<{ id: string }>>()
  kept.set(scene, records)
  const record = records.get(kind) ?? scene.made(kind, kind === 'email' ? { scheduled_at: inDays(1) } : {})
  records.set(kind, record)
  return record
}

export const inDays = (days: number): string => new Date(Date.now() + days * 24 * 3_600_000).toISOString()

/** An id that was never given. */
export const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000'

/** The route's path with this id; a second id in it belongs to nobody, a number is that of the first. */
export const pathWith = (route: DocumentedRoute, id: string): string =>
  route.path
    .replace('{id}', id)
    .replace(/\{(listId|deliveryId)\}/, UNKNOWN_ID)
    .replace('{version}', '1')
    .replace('{index}', '0')

/** The route's path with the id of a record that is there, as the shared team of `scene` sees it. */
export async function realPath(scene: Scene, route: DocumentedRoute): Promise<string> {
  if (route.kind === null || route.kind === 'captured') return route.path
  const { id } = await known(scene, route.kind)
  expect(id).toBeTypeOf('string')
  return pathWith(route, id)
}

/** A body that the route takes, so that nothing but the id is left to refuse; none where it takes none. */
export function goodBody(route: DocumentedRoute): Record<string, unknown> | undefined {
  if (!route.hasBody) return undefined
  if (route.method === 'POST') {
    if (route.path.endsWith('/replay')) return { since: '2026-01-01T00:00:00Z' }
    return route.path.endsWith('/lists') ? { list_ids: [] } : { variables: {} }
  }
  if (route.kind === 'email') return { scheduled_at: inDays(2) }
  return { ...CHANGES[route.kind as keyof typeof CHANGES] }
}
