import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { API_ERRORS } from '../../src/lib/api-error.ts'
import { readApiDocument } from '../support/api-document.ts'
import { givenFirstOwner } from '../support/people.ts'
import { arbitraryOf, type JsonSchema, stringPathsOf, withField } from '../support/schema-arbitrary.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { makeWorld, type World } from '../support/world.ts'

/**
 * Every body of the OpenAPI document, with valid and unexpected values: the response is always a success or a
 * documented error.
 */
interface Operation {
  name: string
  method: 'post' | 'put' | 'patch'
  path: string
  schema: JsonSchema
  /** For sessions only, not for keys. */
  isForPeople: boolean
}

const NAUGHTY: string[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/naughty-strings/blns.json'), 'utf8'),
)
const RUNS = 60
const AT_ONCE = 16

let service: TestSendwright
/** For tens of thousands of requests, fetch would cost as much as the server. */
let client: Pool
let ann: Sender
let world: World
/** The credentials: the key of a team, and the session of an owner. */
let asKey: Record<string, string>
let asOwner: Record<string, string>
let operations: Operation[]

beforeAll(async () => {
  service = await startTestSendwright({ environment: { SENDWRIGHT_DELIVERY: 'capture' } })
  client = new Pool(service.url, { connections: AT_ONCE })
  ann = await service.givenSender()
  world = await makeWorld(ann, service.url)
  const owner = await givenFirstOwner(service)
  asKey = { authorization: `Bearer ${ann.token}` }
  asOwner = {
    cookie: owner.cookie ?? '',
    'x-sendwright-team': owner.teamId,
    'sec-fetch-site': 'same-origin',
  }
  const paths = readApiDocument<Described>((await ann.get('/openapi.json')).json)
  operations = Object.entries(paths).flatMap(readOperations)
})
afterAll(async () => {
  await client?.close()
  await service?.stop()
})

interface Described {
  security?: Record<string, unknown>[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}

function readOperations([path, methods]: [string, Record<string, Described>]): Operation[] {
  return Object.entries(methods).flatMap(([method, { requestBody, security = [] }]) => {
    const schema = requestBody?.content['application/json']?.schema
    if (schema === undefined) return []
    const isForPeople = security.length > 0 && security.every((hop) => 'session' in hop)
    return [{ name: `${method} ${path}`, method: method as Operation['method'], path, schema, isForPeople }]
  })
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
  { method, path, isForPeople }: Operation,
  body: unknown,
): Promise<Answer & { retryAfter: string | null }> {
  // Resetting the window costs less than a new team for each thousand requests.
  const kind = path.split('/')[1] as string
  const reply = await client.request({
    method: method.toUpperCase() as 'POST' | 'PUT' | 'PATCH',
    path: path.replace(/\{id\}/, world[kind] ?? '').replace(/\{[^}]+\}/, world.lists ?? ''),
    headers: { ...(isForPeople ? asOwner : asKey), 'content-type': 'application/json' },
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

async function resetRateLimits(): Promise<void> {
  await service.db.query('delete from rate_window')
}

test('every body of the document is tested', () => {
  expect(operations.length).toBeGreaterThan(20)
})

test('a documented response, never 5xx, for any value of every body', async () => {
  for (const operation of operations) {
    await resetRateLimits()
    await fc.assert(
      fc.asyncProperty(arbitraryOf(operation.schema), async (body) => {
        expect(problemOf(await send(operation, body)), operation.name).toBeNull()
      }),
      { numRuns: RUNS },
    )
  }
}, 600_000)

test('a documented response, never 5xx, for every naughty string in every string field', async () => {
  // Delivering the emails and webhooks of a hundred thousand requests would cost more than the requests.
  await service.restart({ PORT: new URL(service.url).port }, ['api'])
  const complaints: string[] = []
  // PATCH is an alias of PUT, which was tested above. User routes are excluded too, because password checks are
  // rate-limited.
  for (const operation of operations.filter(
    ({ method, isForPeople }) => method !== 'patch' && !isForPeople,
  )) {
    const example = operation.schema.examples?.[0]
    for (const path of stringPathsOf(operation.schema)) {
      await resetRateLimits()
      await forEachConcurrently(NAUGHTY, async (text) => {
        const complaint = problemOf(await send(operation, withField(example, path, text)))
        if (complaint !== null)
          complaints.push(`${operation.name} ${path.join('.')} ${JSON.stringify(text)}: ${complaint}`)
      })
    }
  }
  expect(complaints).toEqual([])
}, 900_000)

async function forEachConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  const lane = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}
