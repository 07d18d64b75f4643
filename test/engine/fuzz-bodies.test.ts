import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { API_ROUTES, OPERATOR_ROUTES } from '../../src/app/routes.ts'
import { upsertPauses } from '../../src/delivery/sites/sites-queries.ts'
import { checkShape, refuseShape } from '../../src/http/json/shape.ts'
import type { Route } from '../../src/http/route/route.ts'
import { API_ERRORS } from '../../src/lib/api-error.ts'
import { readApiDocument } from '../support/api-document.ts'
import { inLanes } from '../support/lanes.ts'
import { givenFirstOwner } from '../support/people.ts'
import {
  arbitraryOf,
  type JsonSchema,
  stringFieldsOf,
  withField,
  withParents,
} from '../support/schema-arbitrary.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import type { GivenTeam } from '../support/teams.ts'
import { isFull, seedOfToday } from '../support/thorough.ts'
import { makeWorld, type World, withOwnIds } from '../support/world.ts'

/**
 * Every body of the OpenAPI document, with valid and unexpected values: the response is always a success or a
 * documented error.
 */
interface Operation {
  name: string
  method: 'post' | 'put' | 'patch' | 'delete'
  path: string
  schema: JsonSchema
  route: Route
  credentials: 'key' | 'operator' | 'session'
}

/** A string field of the body of an operation. */
interface Place {
  operation: Operation
  path: string[]
  schema: JsonSchema
  /** A valid body. */
  example: unknown
}

const NAUGHTY: string[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/naughty-strings/blns.json'), 'utf8'),
)
const RUNS = isFull ? 60 : 3
const AT_ONCE = 16
/** As many strings as the rate limit of a team allows in a window. */
const IN_WINDOW = isFull ? 20 : 50
const OPERATOR = 'the-token-of-the-operator-of-this-test'
/** A paused site, for the operations on sites. */
const SITE = 'mx.customer.example'

let service: TestSendwright
/** For tens of thousands of requests, fetch would cost as much as the server. */
let client: Pool
let ann: Sender
let world: World
/** The team that operators change. */
let others: GivenTeam
let credentials: Record<Operation['credentials'], Record<string, string>>
let operations: Operation[]

beforeAll(async () => {
  service = await startTestSendwright({
    environment: { SENDWRIGHT_DELIVERY: 'capture', SENDWRIGHT_OPERATOR_TOKEN: OPERATOR },
  })
  client = new Pool(service.url, { connections: AT_ONCE })
  await upsertPauses(service.db, [
    {
      name: SITE,
      state: 'paused',
      failures: 1,
      category: 'unreachable',
      reason: 'no connection',
      pausedUntil: new Date(Date.now() + 600_000),
      changedAt: new Date(),
    },
  ])
  const owner = await givenFirstOwner(service)
  credentials = {
    key: {},
    operator: { authorization: `Bearer ${OPERATOR}` },
    session: {
      cookie: owner.cookie ?? '',
      'x-sendwright-team': owner.teamId,
      'sec-fetch-site': 'same-origin',
    },
  }
  await enterNewTeam()
  const paths = readApiDocument<Described>((await ann.get('/openapi.json')).json)
  operations = Object.entries(paths).flatMap(readOperations)
})
afterAll(async () => {
  await client?.close()
  await service?.stop()
})

/** Makes the records that requests name. The domain is that of the examples. */
async function enterNewTeam(): Promise<void> {
  await service.db.query("delete from verified_domain where name = 'example.com'")
  ann = await service.givenSender({ domain: 'example.com' })
  world = await makeWorld(ann, service.url)
  others = await service.givenTeam()
  credentials.key = { authorization: `Bearer ${ann.token}` }
}

interface Described {
  security?: Record<string, unknown>[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}

const ROUTES: readonly Route[] = [...API_ROUTES, ...OPERATOR_ROUTES]

function readOperations([path, methods]: [string, Record<string, Described>]): Operation[] {
  return Object.entries(methods).flatMap(([method, { requestBody, security = [] }]) => {
    const schema = requestBody?.content['application/json']?.schema
    if (schema === undefined) return []
    const route = ROUTES.find(
      (each) => each.method === method.toUpperCase() && each.path === path.replace(/\{(\w+)\}/g, ':$1'),
    )
    if (route === undefined) throw new Error(`${method} ${path} has no route.`)
    const needs = (scheme: string) => security.length > 0 && security.every((hop) => scheme in hop)
    const own = security.some((hop) => 'operatorToken' in hop) ? 'operator' : 'key'
    return [
      {
        name: `${method} ${path}`,
        method: method as Operation['method'],
        path,
        schema,
        route,
        credentials: needs('session') ? 'session' : own,
      },
    ]
  })
}

/** Returns the string fields of the body of an operation. */
function placesOf(operation: Operation): Place[] {
  const own = withOwnIds(operation.schema.examples?.[0], world)
  return stringFieldsOf(operation.schema).map(({ path, schema }) => ({
    operation,
    path,
    schema,
    example: withParents(own, path, operation.schema),
  }))
}

interface Answer {
  status: number
  text: string
}

/** With sixteen concurrent changes of one row on a slow machine, the last waits longer than the API allows. */
const RETRIES_MAX = 3

/**
 * Sends a request and retries a 503 after the time in the response, as clients do. Fails when the service stays
 * unavailable.
 */
async function send(operation: Operation, body: unknown): Promise<Answer> {
  for (let retry = 0; ; retry++) {
    const { retryAfter, ...answer } = await sendOnce(operation, body)
    if (answer.status !== 503 || retryAfter === null || retry === RETRIES_MAX) return answer
    await pause(Number(retryAfter) * 1000)
  }
}

async function sendOnce(
  operation: Operation,
  body: unknown,
): Promise<Answer & { retryAfter: string | null }> {
  const [, kind = ''] = operation.path.split('/')
  const named = {
    operator: others.id,
    'contact-properties': world.properties,
    broadcasts: world.campaigns,
  }
  const own = named[kind as keyof typeof named] ?? world[kind] ?? ''
  const reply = await client.request({
    method: operation.method.toUpperCase() as 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: operation.path.replace('{id}', own).replace('{name}', SITE),
    headers: { ...credentials[operation.credentials], 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const retryAfter = reply.headers['retry-after']
  return {
    status: reply.statusCode,
    text: await reply.body.text(),
    retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
  }
}

/** Returns the problem of a response, or null. */
function problemOf(reply: Answer): string | null {
  if (reply.status < 300) return null
  const { name, statusCode, message } = reply.text.startsWith('{') ? JSON.parse(reply.text) : {}
  const isListed =
    Object.hasOwn(API_ERRORS, name) && API_ERRORS[name as keyof typeof API_ERRORS].status === reply.status
  const isWhole = statusCode === reply.status && typeof message === 'string' && message !== ''
  return reply.status < 500 && isListed && isWhole ? null : `${reply.status} ${reply.text.slice(0, 300)}`
}

/** Resetting the window costs less than a new team for each thousand requests. */
async function resetRateLimits(): Promise<void> {
  await service.db.query('delete from rate_window')
}

test('every body of the document is tested', () => {
  expect(operations.length).toBeGreaterThan(20)
})

test('a documented response, never 5xx, for any value of every body', async () => {
  await inLanes(operations, async (operation) => {
    await resetRateLimits()
    await fc.assert(
      fc.asyncProperty(arbitraryOf(operation.schema), async (body) => {
        expect(problemOf(await send(operation, body)), operation.name).toBeNull()
      }),
      { numRuns: RUNS, seed: seedOfToday() },
    )
  })
}, 600_000)

test('a verdict on the shape of every body, for every naughty string in every string field', () => {
  const complaints = operations
    .flatMap(placesOf)
    .flatMap((place) => NAUGHTY.map((text) => complaintOfShape(place, text)))
  expect(complaints.filter((complaint) => complaint !== null)).toEqual([])
})

/** Validates a body as the server does. Rejects only the field, and names it. */
function complaintOfShape({ operation, path, example }: Place, text: string): string | null {
  const errors = findErrors(operation, withField(example, path, text))
  if (errors === null) return null
  const { code, message } = refuseShape(errors)
  const [field = ''] = Object.keys(errors)
  const isOfField = path.join('.').startsWith(field)
  if (isOfField && code === 'validation_error' && message !== '') return null
  return `${operation.name} ${path.join('.')} ${JSON.stringify(text)}: ${JSON.stringify(errors)}`
}

function findErrors({ route }: Operation, body: unknown) {
  return checkShape(route.bodyCheck ?? route.body ?? {}, body)
}

test('a documented response, never 5xx, for every naughty string and in every string field', async () => {
  await enterNewTeam()
  // Delivering the emails and webhooks of tens of thousands of requests would cost more than the requests.
  await service.restart({ PORT: new URL(service.url).port }, ['api'])
  const places = operations.filter(isTestedByStrings).flatMap(placesOf)
  const complaints: string[] = []
  for (let start = 0; start < NAUGHTY.length; start += IN_WINDOW) {
    await resetRateLimits()
    const requests = NAUGHTY.slice(start, start + IN_WINDOW).flatMap((text, at) =>
      choosePlaces(places, start + at).map((place) => ({ ...place, text })),
    )
    await forEachConcurrently(requests, async ({ operation, path, example, text }) => {
      const complaint = problemOf(await send(operation, withField(example, path, text)))
      if (complaint !== null)
        complaints.push(`${operation.name} ${path.join('.')} ${JSON.stringify(text)}: ${complaint}`)
    })
  }
  expect(complaints).toEqual([])
}, 900_000)

/**
 * PATCH is an alias of PUT, where there is one. User routes are excluded too, because password checks are
 * rate-limited.
 */
function isTestedByStrings({ method, path, credentials: needed }: Operation): boolean {
  const isAlias = method === 'patch' && operations.some((each) => each.method === 'put' && each.path === path)
  return needed !== 'session' && !isAlias
}

/** The days in which every place receives every string. */
const DAYS = 160

/**
 * Returns the places for one string. Strings and days take turns, so that each day every string and every place is tested, the
 * place with three strings. A full run returns every place.
 * @param turn the index of the string
 */
function choosePlaces(places: readonly Place[], turn: number): readonly Place[] {
  if (isFull) return places
  return places.filter((_, index) => (index + turn + seedOfToday()) % DAYS === 0)
}

async function forEachConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  const lane = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}
