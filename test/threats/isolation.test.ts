import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { readApiDocument } from '../support/api-document.ts'
import type { ApiReply } from '../support/client.ts'
import { allAtRest, allLogged, bareAnswer, rowsOf } from '../support/foreign.ts'
import { inLanes } from '../support/lanes.ts'
import { type JsonSchema, stringPathsOf, withField } from '../support/schema-arbitrary.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { isFull, seedOfToday } from '../support/thorough.ts'
import { bodyFor, kindOfId, makeWorld, type World, withOwnIds } from '../support/world.ts'

/**
 * Sends requests to every route of the OpenAPI document with ids of another team in the path, query and body. The
 * response equals byte for byte that for an unknown id, and the other team's tables do not change.
 */
let service: TestSendwright
/** Another installation in the same database. */
let otherCell: TestSendwright
let ann: Sender
let eve: Sender
let anns: World
let eves: World
/** Of a team of the other cell. */
let franks: World
let operations: Operation[]
/** The request log is compared up to this time, because each request of a test adds to it. */
let loggedUntil: string

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

/** Returns whether the operation is for operators or users, which no team key may call. */
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
  otherCell = await startTestSendwright({
    environment: { SENDWRIGHT_DELIVERY: 'capture' },
    beside: { service, schema: 'cell_b', cell: 'b' },
  })
  const frank = await otherCell.givenSender()
  franks = await makeWorld(frank, otherCell.url)
  loggedUntil = new Date().toISOString()
  anns.logs = await allLogged(ann)
  eves.logs = await allLogged(eve)
  franks.logs = await allLogged(frank)
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
afterAll(async () => {
  await otherCell?.stop()
  await service?.stop()
})

/** Returns the kind of resource that a path parameter names. */
function kindOf(path: string, name: string): string {
  if (name === 'listId') return 'lists'
  const parts = path.split('/')
  const kind = parts.slice(1, parts.indexOf(`{${name}}`)).join('/')
  return KINDS[kind] ?? kind
}
/** Path names that are aliases of a kind. */
const KINDS: Record<string, string> = {
  'contact-properties': 'properties',
  broadcasts: 'campaigns',
  'webhooks/{id}/deliveries': 'webhook-deliveries',
  'webhooks/{id}/events': 'webhook-deliveries',
  'contacts/{id}/segments': 'segments',
  'automations/{id}/runs': 'runs',
  shared: 'emails',
  unsubscribe: 'unsubscriptions',
  't/o': 'emails',
  't/c': 'emails',
}

const namesIn = (path: string) =>
  [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string).filter((name) => !(name in NUMBERS))
/** Parameters that count within a record, or name a page of the reference. They use a value that every team has. */
const NUMBERS: Record<string, string> = { version: '1', index: '0', group: 'emails' }

type KindAndId = [kind: string, id: string]

/** The days in which every place of an id receives every kind. */
const DAYS = 12
let placeCount = 0

/**
 * Returns the kinds of ids for the next place of an id: the kind that belongs there, if there is one, and each day others in
 * turn. A full run returns all.
 */
function chooseKinds(all: readonly KindAndId[], own: string | null): readonly KindAndId[] {
  if (isFull) return all
  const turn = seedOfToday() + placeCount++
  return all.filter(([kind], index) => kind === own || (index + turn) % DAYS === 0)
}

/**
 * Sends the request, and retries when a busy service rejected it without doing anything. Empties the rate-limit windows long before
 * the team reaches its limit: from then on the service rejects requests from memory, and all rejections are alike.
 */
async function call(operation: Operation, path: string, body?: unknown): Promise<ApiReply> {
  if (callCount++ % CALLS_PER_WINDOW === 0) await service.db.query('delete from rate_window')
  for (let attemptsLeft = BUSY_ATTEMPTS_MAX; ; attemptsLeft--) {
    const reply = await callOnce(operation, path, body)
    expect(reply.status, path).not.toBe(429)
    if (reply.status !== 503 || attemptsLeft === 0) return reply
  }
}
const BUSY_ATTEMPTS_MAX = 3
const CALLS_PER_WINDOW = 1_000
let callCount = 0

async function callOnce({ method }: Operation, path: string, body: unknown): Promise<ApiReply> {
  if (method === 'GET') return eve.get(path)
  if (method === 'DELETE') return eve.delete(path)
  if (method === 'PUT') return eve.put(path, body)
  return method === 'PATCH' ? eve.patch(path, body) : eve.post(path, body)
}

/** Returns a path with Eve's ids, except for the parameter `name`. */
function pathWith(path: string, name: string | null, id: string): string {
  return path.replace(/\{([^}]+)\}/g, (_, parameter: string) =>
    parameter === name ? id : (NUMBERS[parameter] ?? eves[kindOf(path, parameter)] ?? newId()),
  )
}

/** Returns a valid body for each route. */
function goodBody({ method, path, body }: Operation): unknown {
  if (body === null) return undefined
  if (method === 'POST' && namesIn(path).length === 0) {
    const own = bodyFor(path.slice(1), eves, eve)
    if (own !== null) return own
  }
  return withOwnIds(body.examples?.[0] ?? {}, eves)
}

test('404 for the id of another team, or of another cell, in every path, byte for byte as for an unknown id; nothing changes', async () => {
  // Background work in Ann's tables would look like a change by Eve.
  await allAtRest(service.db)
  const before = await rowsOf(service.db, ann.id)
  let count = 0
  for (const operation of operations) {
    for (const name of namesIn(operation.path)) {
      const place = `${operation.method} ${operation.path} ${name}`
      const unknown = newId()
      const ask = (id: string) => call(operation, pathWith(operation.path, name, id), goodBody(operation))
      const expected = bareAnswer(await ask(unknown), unknown)
      for (const world of [anns, franks]) {
        const foreign = world[kindOf(operation.path, name)]
        expect(foreign, place).toBeDefined()
        const reply = await ask(foreign as string)
        expect(reply.status, place).toBe(404)
        expect(bareAnswer(reply, foreign as string), place).toEqual(expected)
      }
      count++
    }
  }
  expect(count).toBeGreaterThan(20)
  expect(await rowsOf(service.db, ann.id)).toEqual(before)
})

test("404 at every path for the team's own id of another kind", async () => {
  for (const operation of operations) {
    for (const name of namesIn(operation.path)) {
      const own = kindOf(operation.path, name)
      const others = Object.entries(eves).filter(([kind]) => kind !== own)
      await inLanes(chooseKinds(others, own), async ([kind, id]) => {
        const reply = await call(operation, pathWith(operation.path, name, id), goodBody(operation))
        expect(reply.status, `${operation.method} ${operation.path} ${name}: ${kind}`).toBe(404)
      })
    }
  }
}, 600_000)

/** Ids chosen by the caller do not refer to records. */
const CALLER_IDS = ['content_id', 'user_id']
const isId = (name: string) => /(^|_)ids?$|^(after|before)$/.test(name) && !CALLER_IDS.includes(name)
/** Returns the adjacent id in time, so that an unknown id has the same place in a list. */
const neighbourOf = (id: string) => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`

test("the same response for another team's id of every kind in every query as for an unknown id", async () => {
  // Metrics contain the time up to which they are counted, so nothing may happen between two requests.
  await allAtRest(service.db)
  let count = 0
  for (const operation of operations) {
    if (operation.method !== 'GET') continue
    for (const { name } of operation.parameters.filter((given) => given.in === 'query' && isId(given.name))) {
      const ask = async (id: string) =>
        bareAnswer(
          await call(operation, `${pathWith(operation.path, null, '')}?${name}=${id}${stableFor(operation)}`),
          id,
        )
      const own = kindOfId(name) ?? operation.path.split('/').at(-1) ?? ''
      const kinds = chooseKinds(Object.entries(anns), own in anns ? own : null)
      await inLanes(kinds, ([kind, foreign]) =>
        expectEqual(`${operation.path}?${name}= ${kind}`, foreign, ask),
      )
      count += kinds.length
    }
  }
  expect(count).toBeGreaterThan(50)
}, 600_000)

const stableFor = ({ path }: Operation) => (path === '/logs' ? `&end_date=${loggedUntil}` : '')

/** Compares two responses. Some contain the time, so both requests are repeated when a second began between them. */
async function expectEqual(
  place: string,
  foreign: string,
  ask: (id: string) => Promise<unknown>,
): Promise<void> {
  const both = async () => ({ reply: await ask(foreign), expected: await ask(neighbourOf(foreign)) })
  const first = await both()
  const { reply, expected } = isDeepStrictEqual(first.reply, first.expected) ? first : await both()
  expect(reply, place).toEqual(expected)
}

/** Returns the bodies with each value of `type`, which determines the fields that count. */
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

test("422 for another team's id in every id field of a body, as for an unknown id; nothing changes", async () => {
  await allAtRest(service.db)
  const before = await rowsOf(service.db, ann.id)
  let count = 0
  for (const operation of operations) {
    if (operation.body === null) continue
    const path = pathWith(operation.path, null, '')
    for (const field of stringPathsOf(operation.body)) {
      const name = field.filter((part) => part !== '0').at(-1) ?? ''
      if (!isId(name)) continue
      const ask = (body: unknown, id: string) => call(operation, path, withField(body, field, id))
      const expected = await answersToUnknown(bodiesFor(operation, field), ask)
      const kinds = chooseKinds(Object.entries(anns), kindOfId(name))
      await inLanes(kinds, ([kind, foreign]) => {
        const place = `${operation.method} ${operation.path} ${field.join('.')}: ${kind}`
        return expectRefused(place, foreign, expected, ask)
      })
      count += kinds.length
    }
  }
  expect(count).toBeGreaterThan(50)
  expect(await rowsOf(service.db, ann.id)).toEqual(before)
}, 600_000)

type AskWith = (body: unknown, id: string) => Promise<ApiReply>

interface ToUnknown {
  body: unknown
  answer: unknown
}

/** Returns the bodies with the responses to an unknown id in them. */
async function answersToUnknown(bodies: readonly unknown[], ask: AskWith): Promise<ToUnknown[]> {
  const expected: ToUnknown[] = []
  for (const body of bodies) {
    const unknown = newId()
    expected.push({ body, answer: bareAnswer(await ask(body, unknown), unknown) })
  }
  return expected
}

async function expectRefused(
  place: string,
  foreign: string,
  expected: readonly ToUnknown[],
  ask: AskWith,
): Promise<void> {
  const statuses = new Set<number>()
  for (const { body, answer } of expected) {
    const reply = await ask(body, foreign)
    // A field that does not count with this `type` is ignored and leaves no trace.
    if (reply.status < 300) expect(reply.text, place).not.toContain(foreign)
    else expect(bareAnswer(reply, foreign), place).toEqual(answer)
    statuses.add(reply.status)
  }
  expect([...statuses], place).toContain(422)
}
