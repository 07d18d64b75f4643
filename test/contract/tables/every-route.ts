import { request } from 'node:http'
import { expect } from 'vitest'
import { goodBody, pathWith, realPath, UNKNOWN_ID } from '../known.ts'
import { type DocumentedRoute, ROUTES } from '../routes.ts'
import { checkAnswer, error, NOT_FOUND, type Row, type Section } from '../row.ts'
import type { Scene } from '../scene.ts'

/** Creates a row for each of these routes. */
const each = (
  requirement: string,
  routes: readonly DocumentedRoute[],
  proves: (scene: Scene, route: DocumentedRoute) => Promise<void>,
): Row[] =>
  routes.map((route) => ({
    requirement,
    by: `${route.method} ${route.path}`,
    proves: (scene) => proves(scene, route),
  }))

const nameOf = ({ method }: DocumentedRoute, path: string) => `${method} ${path}`
const WITH_ID = ROUTES.filter(({ kind }) => kind !== null)
const WITH_BODY = ROUTES.filter(({ hasBody }) => hasBody)
const WITHOUT_BODY = ROUTES.filter(({ hasBody, method }) => !hasBody && method !== 'GET')
const METHODS_BY_PATH = Map.groupBy(ROUTES, ({ path }) => path)
const ONE_PER_PATH = [...METHODS_BY_PATH.values()].flatMap(([first]) => first ?? [])

/** Sends only the header of a request that declares a body of this size. Resolves to the status. */
function declareBody(scene: Scene, route: string, byteCount: number): Promise<number | undefined> {
  const [method, path] = route.split(' ')
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${scene.sender.token}`,
      'content-type': 'application/json',
      'content-length': byteCount,
    }
    const sent = request(scene.service.url + path, { method: method ?? 'POST', headers }, (answer) => {
      resolve(answer.statusCode)
      sent.destroy()
    })
    sent.on('error', reject)
    sent.flushHeaders()
  })
}

/** Removes times that differ between two requests. */
function steady(text: string): string {
  return text.replaceAll(/"(updated_at|last_used_at|next_attempt_at)":"[^"]*"/g, '"$1":"T"')
}

function methodNotOf(path: string): string {
  const methods = METHODS_BY_PATH.get(path)?.map(({ method }) => method) ?? []
  // The local mailbox can be emptied, although no requirement mentions it.
  if (path === '/captured') return 'PUT'
  return (['DELETE', 'PUT', 'POST'] as const).find((method) => !methods.includes(method)) ?? 'OPTIONS'
}

async function proveMethodRefused(scene: Scene, path: string, at: string): Promise<void> {
  const refused = methodNotOf(path)
  const reply = await scene.ask(`${refused} ${at}`)
  expect(reply.status, reply.text).toBe(405)
  expect(reply.json).toMatchObject({ statusCode: 405, name: 'method_not_allowed' })
  const allowed = (reply.headers.get('allow') ?? '').split(/, ?/)
  for (const { method } of METHODS_BY_PATH.get(path) ?? []) expect(allowed).toContain(method)
  expect(allowed).not.toContain(refused)
}

export const everyRouteSections: readonly Section[] = [
  {
    heading: 'every route: authentication',
    rows: [
      ...each('ERR-3', ROUTES, async (scene, route) => {
        const name = nameOf(route, pathWith(route, UNKNOWN_ID))
        const none = await scene.askAs(null)(name)
        await checkAnswer(none, error(401, 'missing_api_key', 'Invalid API key.'), scene)
        const wrong = await scene.askAs(`sw_${'a'.repeat(40)}`)(name)
        await checkAnswer(wrong, error(401, 'invalid_api_key', 'Invalid API key.'), scene)
      }),
    ],
  },
  {
    heading: 'every route: conventions',
    rows: [
      ...each(
        'API-4',
        ROUTES.filter(({ isList }) => !isList),
        async (scene, route) => {
          const path = route.method === 'DELETE' ? pathWith(route, UNKNOWN_ID) : await realPath(scene, route)
          const body = route.hasBody ? (REFUSED[route.path] ?? {}) : undefined
          if (route.method === 'POST' && !route.hasBody)
            return proveMethodRefused(scene, route.path, `/v1${path}`)
          const plain = await scene.ask(nameOf(route, path), body)
          const versioned = await scene.ask(nameOf(route, `/v1${path}`), body)
          expect([versioned.status, steady(versioned.text)]).toEqual([plain.status, steady(plain.text)])
          await proveMethodRefused(scene, route.path, `/v1${path}`)
        },
      ),
      ...each(
        'API-4',
        ROUTES.filter(({ isList }) => isList),
        async (scene, route) => {
          const path = await realPath(scene, route)
          const [plain, versioned] = [await scene.ask(`GET ${path}`), await scene.ask(`GET /v1${path}`)]
          expect(plain.status, plain.text).toBe(200)
          expect(steady(versioned.text)).toBe(steady(plain.text))
        },
      ),
      ...each('API-9', ROUTES, async (scene, route) => {
        const { status, headers } = await scene.ask(nameOf(route, pathWith(route, UNKNOWN_ID)))
        expect(status).not.toBe(405)
        expect(headers.get('ratelimit-limit')).toMatch(/^\d+$/)
        expect(headers.get('ratelimit-remaining')).toMatch(/^\d+$/)
        expect(Number(headers.get('ratelimit-reset') ?? 'none')).toBeLessThanOrEqual(60)
        expect(headers.get('x-request-id')).toBeTruthy()
      }),
      ...each('API-7', WITHOUT_BODY, async (scene, route) => {
        const json = { 'content-type': 'application/json' }
        const reply = await scene.ask(nameOf(route, pathWith(route, UNKNOWN_ID)), '', json)
        await checkAnswer(reply, NOT_FOUND, scene)
      }),
      ...each('API-17', WITH_ID, async (scene, route) => {
        const stranger = await scene.fresh()
        const theirs = await realPath(scene, route)
        const unknown = pathWith(route, UNKNOWN_ID)
        for (const path of [theirs, unknown]) {
          const reply = await stranger.ask(nameOf(route, path), goodBody(route))
          await checkAnswer(reply, NOT_FOUND, scene)
          expect(reply.text).toBe('{"statusCode":404,"name":"not_found","message":"Not found."}')
        }
      }),
    ],
  },
  {
    heading: 'every route: errors',
    rows: [
      ...each('ERR-5', WITH_ID, async (scene, route) => {
        for (const id of [UNKNOWN_ID, UNKNOWN_ID.toUpperCase(), 'none']) {
          const reply = await scene.ask(nameOf(route, pathWith(route, id)), goodBody(route))
          await checkAnswer(reply, NOT_FOUND, scene)
        }
      }),
      ...each('ERR-6', ONE_PER_PATH, async (scene, route) => {
        await proveMethodRefused(scene, route.path, await realPath(scene, route))
      }),
      ...each('ERR-8', WITH_BODY, async (scene, route) => {
        const name = nameOf(route, await realPath(scene, route))
        expect(await declareBody(scene, name, route.capMib * 1024 * 1024 + 1)).toBe(413)
      }),
      ...each('ERR-9', WITH_BODY, async (scene, route) => {
        const name = nameOf(route, await realPath(scene, route))
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
          const reply = await scene.ask(name, 'a=b', { 'content-type': type })
          expect(reply.json, type).toMatchObject({ statusCode: 415, name: 'unsupported_media_type' })
          expect(reply.status).toBe(415)
        }
      }),
      ...each('ERR-10', WITH_BODY, async (scene, route) => {
        const name = nameOf(route, await realPath(scene, route))
        for (const body of ['{', '{"a":1}}', "{'a':1}", 'nul']) {
          const reply = await scene.ask(name, body)
          expect(reply.json, body).toMatchObject({ statusCode: 422, name: 'validation_error' })
          expect(reply.status).toBe(422)
        }
      }),
    ],
  },
  {
    heading: 'every route: permissions of keys',
    rows: [
      ...each('KEY-5', ROUTES, async (scene, route) => {
        const { token } = await sendKey(scene)
        const reply = await scene.askAs(token)(nameOf(route, pathWith(route, UNKNOWN_ID)), goodBody(route))
        if (route.sendKey) expect([404, 422]).toContain(reply.status)
        else {
          expect(reply.json, reply.text).toMatchObject({ statusCode: 403, name: 'restricted_api_key' })
          expect(reply.status).toBe(403)
        }
      }),
    ],
  },
  {
    heading: 'every route: rate limits',
    rows: [
      ...each('LIM-5', ROUTES, async (scene, route) => {
        const [free, own] = [await freeTeam(scene), scene.ask]
        const name = nameOf(route, pathWith(route, UNKNOWN_ID))
        const limits = { send: ['60', '6000'], validate: ['60', '60'], general: ['600', '6000'] }
        const replies = [await free(name, goodBody(route)), await own(name, goodBody(route))]
        expect(replies.map(({ headers }) => headers.get('ratelimit-limit'))).toEqual(limits[route.bucket])
        expect(replies.map(({ status }) => status)).not.toContain(405)
      }),
    ],
  },
]

const sendKeys = new WeakMap<Scene, Promise<{ token: string }>>()
function sendKey(scene: Scene): Promise<{ token: string }> {
  const key = sendKeys.get(scene) ?? scene.sender.givenKey({ permission: 'send' })
  sendKeys.set(scene, key)
  return key
}

/** Requests that cannot be repeated: a second email has another id, and a campaign begins once. Rejected ones are compared. */
const REFUSED: Readonly<Record<string, object>> = {
  '/emails/{id}/resend': { to: 'nobody' },
  '/campaigns/{id}/send': { scheduled_at: 'soon' },
}

const freeTeams = new WeakMap<Scene, ReturnType<Scene['fresh']>>()
async function freeTeam(scene: Scene): Promise<Scene['ask']> {
  const team = freeTeams.get(scene) ?? scene.fresh('free')
  freeTeams.set(scene, team)
  return (await team).ask
}
