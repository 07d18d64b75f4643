import { expect } from 'vitest'
import { known, UNKNOWN_ID } from '../known.ts'
import { CHANGES, KINDS, type Kind, PATHS, RECORDS } from '../resources.ts'
import { type DocumentedRoute, ROUTES } from '../routes.ts'
import { aTime, aUuid, checkAnswer, proof, type Row, refusesField, type Section } from '../row.ts'
import type { Scene } from '../scene.ts'

const LISTS = ROUTES.filter(({ isList }) => isList)
const aNumber = expect.any(Number)
const PUBLIC_URL = 'https://api.test'

async function pathOf(scene: Scene, { path, kind }: DocumentedRoute): Promise<string> {
  if (kind === null || kind === 'captured') return path
  return path.replace('{id}', (await known(scene, kind)).id)
}

const each = (
  requirement: string,
  by: string,
  proves: (scene: Scene, path: string) => Promise<void>,
): Row[] =>
  LISTS.map((route) =>
    proof(requirement, `${by}: GET ${route.path}`, async (scene) =>
      proves(scene, await pathOf(scene, route)),
    ),
  )

/** Creates a row for each kind with a list, of which three records exist. */
const eachKind = (
  requirement: string,
  by: string,
  kinds: readonly Kind[],
  proves: (scene: Scene, kind: Kind) => Promise<void>,
): Row[] => kinds.map((kind) => proof(requirement, `${by}: ${PATHS[kind]}`, (scene) => proves(scene, kind)))

const refusesQuery = async (scene: Scene, path: string, field: string, values: readonly string[]) => {
  for (const value of values) {
    const reply = await scene.ask(`GET ${path}?${field}=${value}`)
    await checkAnswer(reply, refusesField(field), scene)
  }
}

export const listSections: readonly Section[] = [
  {
    heading: 'lists: the envelope',
    rows: [
      ...each('API-12', 'an array', async (scene, path) => {
        const { status, json } = await scene.ask(`GET ${path}`)
        expect(status).toBe(200)
        expect(json.data).toBeInstanceOf(Array)
      }),
      ...each('API-12', 'links', async (scene, path) => {
        const { links } = (await scene.ask(`GET ${path}`)).json
        expect(Object.keys(links).sort()).toEqual(['first', 'last', 'next', 'prev'])
        for (const link of Object.values(links)) {
          if (link !== null) expect(new URL(String(link)).searchParams.get('page')).toMatch(/^\d+$/)
        }
        expect([links.first, links.prev]).toEqual([expect.any(String), null])
      }),
      ...each('API-12', 'meta', async (scene, path) => {
        const { data, meta } = (await scene.ask(`GET ${path}`)).json
        const names = ['current_page', 'from', 'last_page', 'path', 'per_page', 'to', 'total']
        expect(Object.keys(meta).sort()).toEqual(names)
        const some = data.length > 0
        expect(meta).toMatchObject({
          current_page: 1,
          from: some ? 1 : 0,
          to: data.length,
          last_page: Math.max(1, Math.ceil(meta.total / 25)),
          path: `${PUBLIC_URL}${path}`,
        })
      }),
    ],
  },
  {
    heading: 'lists: pages',
    rows: [
      ...each('API-13', 'defaults', async (scene, path) => {
        const { meta } = (await scene.ask(`GET ${path}`)).json
        expect([meta.current_page, meta.per_page]).toEqual([1, 25])
      }),
      ...each('API-13', 'at most', async (scene, path) => {
        const { status, json } = await scene.ask(`GET ${path}?per_page=100`)
        expect([status, json.meta?.per_page]).toEqual([200, 100])
      }),
      ...each('API-12', 'keys', async (scene, path) => {
        const { json } = await scene.ask(`GET ${path}`)
        expect(json).toMatchObject({ object: 'list', has_more: expect.any(Boolean) })
        expect(Object.keys(json).sort()).toEqual(['data', 'has_more', 'links', 'meta', 'object'])
      }),
      ...each('API-14', 'all three', async (scene, path) => {
        for (const query of ['limit=1', `limit=1&after=${UNKNOWN_ID}`, `limit=1&before=${UNKNOWN_ID}`]) {
          const { status, json, text } = await scene.ask(`GET ${path}?${query}`)
          expect(status, text).toBe(200)
          expect(json.data.length).toBeLessThanOrEqual(1)
        }
      }),
      ...each('API-13', 'page', (scene, path) => refusesQuery(scene, path, 'page', ['0', '-1', '1.5', 'x'])),
      ...each('API-13', 'per_page', (scene, path) =>
        refusesQuery(scene, path, 'per_page', ['0', '101', '-5', '2.5', 'ten']),
      ),
      ...each('API-13', 'page 999', async (scene, path) => {
        const { status, json } = await scene.ask(`GET ${path}?page=999`)
        expect([status, json.data, json.has_more]).toEqual([200, [], false])
        expect(json.meta).toMatchObject({ current_page: 999, from: aNumber, to: aNumber })
        expect(json.links.next).toBeNull()
      }),
      ...each('API-15', 'links', async (scene, path) => {
        const { links, meta } = (await scene.ask(`GET ${path}?per_page=7`)).json
        expect(meta.path).toBe(`${PUBLIC_URL}${path}`)
        for (const link of [links.first, links.last]) {
          const url = new URL(link)
          expect(url.origin + url.pathname).toBe(`${PUBLIC_URL}${path}`)
          expect(url.searchParams.get('per_page')).toBe('7')
        }
      }),
      ...eachKind('API-16', 'total follows', KINDS, async (scene, kind) => {
        const total = async () => (await scene.ask(`GET ${PATHS[kind]}`)).json.meta.total
        const body = { ...(await known(scene, kind)) }
        expect(body.id).toBeTypeOf('string')
        const made = await scene.made(kind)
        const before = await total()
        const more = await scene.made(kind)
        expect(await total()).toBeGreaterThan(before)
        if (kind === 'email' || kind === 'key') return
        await scene.ask(`DELETE ${PATHS[kind]}/${more.id}`)
        await scene.ask(`DELETE ${PATHS[kind]}/${made.id}`)
        expect(await total()).toBeLessThanOrEqual(before)
      }),
      ...eachKind('API-14', 'walks', KINDS, async (scene, kind) => {
        for (let count = 0; count < 3; count++) await scene.made(kind)
        const list = async (query: string) => {
          const { json } = await scene.ask(`GET ${PATHS[kind]}?${query}`)
          return { ...json, ids: json.data.map(({ id }: { id: string }) => id) }
        }
        const whole = (await list('per_page=100')).ids
        const first = await list('limit=2')
        expect([first.ids, first.has_more]).toEqual([whole.slice(0, 2), true])
        expect((await list(`limit=1&after=${whole[1]}`)).ids).toEqual(whole.slice(2, 3))
        expect((await list(`limit=1&before=${whole[2]}`)).ids).toEqual(whole.slice(1, 2))
        const second = await list('per_page=2&page=2')
        expect(second.ids).toEqual(whole.slice(2, 4))
        expect(second.meta).toMatchObject({
          from: 3,
          to: 2 + second.ids.length,
          current_page: 2,
          per_page: 2,
        })
        expect(second.links.prev).toContain('page=1')
      }),
      ...eachKind('API-17', 'a list', KINDS, async (scene, kind) => {
        await known(scene, kind)
        const stranger = await scene.fresh()
        const { json } = await stranger.ask(`GET ${PATHS[kind]}`)
        // The key that reads the list is in it.
        expect(json.data.length).toBe(kind === 'key' ? 1 : 0)
      }),
    ],
  },
  {
    heading: 'records: conventions',
    rows: [
      ...eachKind('API-2', 'id', KINDS, async (scene, kind) => {
        expect((await known(scene, kind)).id).toEqual(aUuid)
      }),
      ...eachKind('API-3', 'created_at', KINDS, async (scene, kind) => {
        const { id } = await known(scene, kind)
        const { created_at } = (await scene.ask(`GET ${PATHS[kind]}/${id}`)).json
        expect(created_at).toEqual(aTime)
        expect(Math.abs(Date.parse(`${created_at.replace(' ', 'T')}Z`) - Date.now())).toBeLessThan(120_000)
      }),
      ...eachKind('API-10', 'all', RECORDS, async (scene, kind) => {
        const { id } = await scene.made(kind)
        const path = `${PATHS[kind]}/${id}`
        const change = CHANGES[kind as keyof typeof CHANGES]
        const statuses = []
        for (const route of [
          `GET ${path}`,
          `PUT ${path}`,
          `PATCH ${path}`,
          `GET ${PATHS[kind]}`,
          `DELETE ${path}`,
        ]) {
          statuses.push((await scene.ask(route, /PUT|PATCH/.test(route) ? change : undefined)).status)
        }
        expect(statuses).toEqual([200, 200, 200, 200, 200])
      }),
      ...eachKind('API-8', 'only the fields given change', RECORDS, async (scene, kind) => {
        const change = CHANGES[kind as keyof typeof CHANGES]
        for (const method of ['PUT', 'PATCH']) {
          const { id } = await scene.made(kind)
          const path = `${PATHS[kind]}/${id}`
          const before = (await scene.ask(`GET ${path}`)).json
          const changed = await scene.ask(`${method} ${path}`, change)
          expect(changed.status, changed.text).toBe(200)
          const after = (await scene.ask(`GET ${path}`)).json
          const moved = { updated_at: after.updated_at, ...derived(kind, after) }
          expect(after).toEqual({ ...before, ...change, ...moved })
        }
      }),
      ...eachKind('API-11', 'then 404', RECORDS, async (scene, kind) => {
        const { id } = await scene.made(kind)
        const path = `${PATHS[kind]}/${id}`
        const { object } = (await scene.ask(`GET ${path}`)).json
        expect(object).toBeTypeOf('string')
        const reply = await scene.ask(`DELETE ${path}`)
        const contact = kind === 'contact' ? { contact: id } : {}
        expect([reply.status, reply.json]).toEqual([200, { object, id, ...contact, deleted: true }])
        if (kind === 'key') expect((await scene.ask(`GET ${path}`)).json.status).toBe('revoked')
        else expect((await scene.ask(`GET ${path}`)).status).toBe(404)
      }),
      ...eachKind('API-5', 'on creation', [...RECORDS, 'email'], async (scene, kind) => {
        const { id } = await scene.made(kind, { frob: 1, nested: { frob: [true] } })
        const record = (await scene.ask(`GET ${PATHS[kind]}/${id}`)).json
        expect(record).not.toHaveProperty('frob')
      }),
      ...eachKind('API-5', 'are ignored on creation and change', RECORDS, async (scene, kind) => {
        const set = {
          id: UNKNOWN_ID,
          team_id: UNKNOWN_ID,
          created_at: '2001-01-01 00:00:00',
          object: 'frob',
        }
        const made = await scene.made(kind, set)
        expect(made.id).not.toBe(UNKNOWN_ID)
        const path = `${PATHS[kind]}/${made.id}`
        const before = (await scene.ask(`GET ${path}`)).json
        expect([before.created_at.slice(0, 4), before.object]).not.toEqual(['2001', 'frob'])
        expect(
          (await scene.ask(`PATCH ${path}`, { ...set, ...CHANGES[kind as keyof typeof CHANGES] })).status,
        ).toBe(200)
        const after = (await scene.ask(`GET ${path}`)).json
        expect([after.id, after.created_at]).toEqual([before.id, before.created_at])
      }),
    ],
  },
]

/** Returns the derived fields of a change: the records of a domain with tracking, the origin of a suppression. */
function derived(kind: Kind, { records, origin }: Record<string, unknown>): object {
  if (kind === 'domain') return { records }
  return kind === 'suppression' ? { origin } : {}
}
