import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import type { ApiReply } from '../support/api.ts'
import { readApiDocument } from '../support/api-document.ts'
import { allAtRest, bareAnswer, rowsOf } from '../support/foreign.ts'
import { inLanes } from '../support/lanes.ts'
import { type JsonSchema, stringPathsOf, withField } from '../support/schema-arbitrary.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { bodyFor, makeWorld, type World, withOwnIds } from '../support/world.ts'

/**
 * Every route of the OpenAPI document, with every id that a request can hold (path, query, body) taken from another
 * team: the answer is byte for byte that of an id which never was, and the other team's tables stay as they are.
 */
let service: TestSendwright
let ann: Sender
let eve: Sender
let anns: World
let eves: World
let operations: Operation[]

interface Operation {
  method: string
  path: string
  parameters: { name: string; in: string; schema: JsonSchema }[]
  body: JsonSchema | null
}

interface Described {
  security?: Record<string, unknown>[]
  parameters?: Operation['parameters']
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}

/** What is for operators and for people who log in is closed to every team's key, whatever it names. */
function isForPeople({ security, requestBody }: Described): boolean {
  const isLogin = security?.length === 0 && requestBody?.content['application/json'] !== undefined
  return isLogin || security?.some((hop) => 'operatorToken' in hop || 'session' in hop) === true
}

beforeAll(async () => {
  service = await startTestSendwright({ environment: { SENDWRIGHT_DELIVERY: 'capture' } })
  ann = await service.givenSender()
  eve = await service.givenSender()
  anns = await makeWorld(ann, service.url)
  eves = await makeWorld(eve, service.url)
  const paths = readApiDocument<Described>((await ann.get('/openapi.json')).json)
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !isForPeople(operation))
      .map(([method, { parameters = [], requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        parameters,
        body: requestBody?.content['application/json']?.schema ?? null,
      })),
  )
})
afterAll(() => service?.stop())

/** The kind of resource that a parameter of a path names. */
function kindOf(path: string, name: string): string {
  if (name === 'listId') return 'lists'
  const parts = path.split('/')
  const kind = parts.slice(1, parts.indexOf(`{${name}}`)).join('/')
  return KINDS[kind] ?? kind
}
/** Paths that are another name of a kind. */
const KINDS: Record<string, string> = {
  'contact-properties': 'properties',
  'webhooks/{id}/deliveries': 'webhook-deliveries',
  unsubscribe: 'unsubscriptions',
  't/o': 'emails',
  't/c': 'emails',
}

const namesIn = (path: string) =>
  [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string).filter((name) => !(name in NUMBERS))
/** What is counted within a record, or a page of the reference, names nothing by itself: the one that every team has. */
const NUMBERS: Record<string, string> = { version: '1', index: '0', group: 'emails' }

/** Who is told that the service has no time just now, as on a busy machine it may, asks again: nothing was done. */
async function call(operation: Operation, path: string, body?: unknown): Promise<ApiReply> {
  for (let attemptsLeft = BUSY_TRIES_MAX; ; attemptsLeft--) {
    const reply = await callOnce(operation, path, body)
    if (reply.status !== 503 || attemptsLeft === 0) return reply
  }
}
const BUSY_TRIES_MAX = 3

async function callOnce({ method }: Operation, path: string, body: unknown): Promise<ApiReply> {
  if (method === 'GET') return eve.get(path)
  if (method === 'DELETE') return eve.delete(path)
  if (method === 'PUT') return eve.put(path, body)
  return method === 'PATCH' ? eve.patch(path, body) : eve.post(path, body)
}

/** A path with Eve's own ids in it, but for the parameter `name`. */
function pathWith(path: string, name: string | null, id: string): string {
  return path.replace(/\{([^}]+)\}/g, (_, parameter: string) =>
    parameter === name ? id : (NUMBERS[parameter] ?? eves[kindOf(path, parameter)] ?? newId()),
  )
}

/** A body that each route would find nothing wrong with. */
function goodBody({ method, path, body }: Operation): unknown {
  if (body === null) return undefined
  if (method === 'POST' && namesIn(path).length === 0) {
    const own = bodyFor(path.slice(1), eves, eve)
    if (own !== null) return own
  }
  return withOwnIds(body.examples?.[0] ?? {}, eves)
}

test("404 for another team's id in every path, byte for byte as for one that never was; nothing changes", async () => {
  // What is still at work in Ann's tables would look like Eve's doing.
  await allAtRest(service.db)
  const before = await rowsOf(service.db, ann.id)
  let count = 0
  for (const operation of operations) {
    for (const name of namesIn(operation.path)) {
      const foreign = anns[kindOf(operation.path, name)]
      const place = `${operation.method} ${operation.path} ${name}`
      expect(foreign, place).toBeDefined()
      const unknown = newId()
      const ask = (id: string) => call(operation, pathWith(operation.path, name, id), goodBody(operation))
      const reply = await ask(foreign as string)
      expect(reply.status, place).toBe(404)
      expect(bareAnswer(reply, foreign as string), place).toEqual(bareAnswer(await ask(unknown), unknown))
      count++
    }
  }
  expect(count).toBeGreaterThan(20)
  expect(await rowsOf(service.db, ann.id)).toEqual(before)
})

test("404 at every path for an id of one's own, but of another kind", async () => {
  for (const operation of operations) {
    for (const name of namesIn(operation.path)) {
      const others = Object.entries(eves).filter(([kind]) => kind !== kindOf(operation.path, name))
      await inLanes(others, async ([kind, id]) => {
        const reply = await call(operation, pathWith(operation.path, name, id), goodBody(operation))
        expect(reply.status, `${operation.method} ${operation.path} ${name}: ${kind}`).toBe(404)
      })
    }
  }
}, 600_000)

/** Ids that callers make up themselves name nothing of ours. */
const NOT_OURS = ['content_id', 'user_id']
const isId = (name: string) => /(^|_)ids?$|^(after|before)$/.test(name) && !NOT_OURS.includes(name)
/** The neighbour in time: ids order by their time, so that an unknown one stands at the same place in a list. */
const neighbourOf = (id: string) => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`

test("alike for another team's id of every kind in every query, as for one that never was", async () => {
  // Figures tell how far they are counted: between two requests nothing may come in.
  await allAtRest(service.db)
  let count = 0
  for (const operation of operations) {
    if (operation.method !== 'GET') continue
    for (const { name } of operation.parameters.filter((given) => given.in === 'query' && isId(given.name))) {
      const ask = async (id: string) =>
        bareAnswer(await call(operation, `${pathWith(operation.path, null, '')}?${name}=${id}`), id)
      await inLanes(Object.entries(anns), ([kind, foreign]) =>
        expectAlike(`${operation.path}?${name}= ${kind}`, foreign, ask),
      )
      count += Object.keys(anns).length
    }
  }
  expect(count).toBeGreaterThan(50)
}, 600_000)

/** Some answers tell the time: where a second began between the two, both are asked for once more. */
async function expectAlike(
  place: string,
  foreign: string,
  ask: (id: string) => Promise<unknown>,
): Promise<void> {
  const both = async () => ({ reply: await ask(foreign), expected: await ask(neighbourOf(foreign)) })
  const first = await both()
  const { reply, expected } = isDeepStrictEqual(first.reply, first.expected) ? first : await both()
  expect(reply, place).toEqual(expected)
}

/** What else may stand where `type` says which fields count: the bodies with each of its values. */
function bodiesFor(operation: Operation, field: readonly string[]): unknown[] {
  const body = goodBody(operation)
  let schema: JsonSchema | undefined = operation.body ?? undefined
  for (const part of field.slice(0, -1)) {
    schema = schema?.anyOf?.find((branch) => branch.type === 'object' || branch.type === 'array') ?? schema
    schema = part === '0' ? schema?.items : schema?.properties?.[part]
  }
  schema = schema?.anyOf?.find((branch) => branch.type === 'object') ?? schema
  const types = schema?.properties?.type?.enum ?? []
  const place = [...field.slice(0, -1), 'type']
  return types.length === 0 ? [body] : types.map((type) => withField(body, place, type))
}

test("422 for another team's id in every field of a body that takes one, as for one that never was; nothing changes", async () => {
  await allAtRest(service.db)
  const before = await rowsOf(service.db, ann.id)
  let count = 0
  for (const operation of operations) {
    if (operation.body === null) continue
    // Thousands of requests: the windows of the rate limits are opened anew for each route.
    await service.db.query('delete from rate_window')
    const path = pathWith(operation.path, null, '')
    for (const field of stringPathsOf(operation.body)) {
      const name = field.filter((part) => part !== '0').at(-1) ?? ''
      if (!isId(name)) continue
      await inLanes(Object.entries(anns), ([kind, foreign]) => {
        const place = `${operation.method} ${operation.path} ${field.join('.')}: ${kind}`
        return expectRefused(place, foreign, bodiesFor(operation, field), (body, id) =>
          call(operation, path, withField(body, field, id)),
        )
      })
      count += Object.keys(anns).length
    }
  }
  expect(count).toBeGreaterThan(50)
  expect(await rowsOf(service.db, ann.id)).toEqual(before)
}, 600_000)

async function expectRefused(
  place: string,
  foreign: string,
  bodies: readonly unknown[],
  ask: (body: unknown, id: string) => Promise<ApiReply>,
): Promise<void> {
  let isRefused = false
  for (const body of bodies) {
    const unknown = newId()
    const [reply, expected] = [await ask(body, foreign), await ask(body, unknown)]
    // A field that does not count beside this `type` is passed over: it leaves no trace.
    if (reply.status < 300) expect(reply.text, place).not.toContain(foreign)
    else expect(bareAnswer(reply, foreign), place).toEqual(bareAnswer(expected, unknown))
    isRefused ||= reply.status === 422
  }
  expect([place, isRefused]).toEqual([place, true])
}
