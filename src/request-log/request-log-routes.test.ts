import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import type { GivenTeam } from '../../test/support/teams.ts'
import { contactRoutes } from '../audience/contacts/contacts-routes.ts'
import { listRoutes } from '../audience/lists/lists-routes.ts'
import { DatabaseUnavailable } from '../db/db-types.ts'
import { apiKeyRoutes } from '../keys/api-keys-routes.ts'
import { firstIdAt } from '../lib/ids.ts'
import { recordAnswers } from './record-answers.ts'
import { insertRequests, REQUEST_SCAN_MAX } from './request-log-queries.ts'
import { requestLogRoutes } from './request-log-routes.ts'
import { createRequestWriter, type RequestWriter } from './write-requests.ts'

const ROUTES = [...requestLogRoutes, ...listRoutes, ...contactRoutes, ...apiKeyRoutes]

let api: Api
let writer: RequestWriter
let team: GivenTeam

beforeAll(async () => {
  api = await startApi({
    routes: ROUTES,
    server: {
      recordAnswers: (app, clientAddress) =>
        recordAnswers(app, (request) => writer.record(request), clientAddress),
    },
  })
  writer = createRequestWriter({
    write: (requests) => insertRequests(api.db, requests),
    clock: api.deps.clock,
    log: api.deps.log,
    onLost(reason) {
      throw new Error(`lost: ${reason}`)
    },
  })
  team = await api.givenTeam()
})
afterAll(async () => {
  await writer.stop()
  await api.stop()
})

type Entry = Record<string, unknown> & { id: string; endpoint: string; response_status: number }

/** Lists the log until it has `count` entries besides those of reading it. */
async function readLog(of: GivenTeam, count: number, query = ''): Promise<Entry[]> {
  let found: Entry[] = []
  const read = async () => {
    const { json } = await of.get(`/logs?per_page=100${query}`)
    found = (json.data as Entry[]).filter(({ endpoint }) => !endpoint.startsWith('/logs'))
    return found.length
  }
  await vi.waitFor(async () => expect(await read()).toBe(count), { timeout: 60_000, interval: 50 })
  return found
}

test('logged: requests with a key, with their errors, newest first, and nothing private', async () => {
  const own = await api.givenTeam()
  const agent = { 'user-agent': 'shop/1.0' }
  const made = await own.post('/lists?secret=q1', { name: 'VIP customers' }, agent)
  const wrong = await own.post('/contacts', { email: 'jane at receiver.test', first_name: 'Jane' })
  await own.get('/contacts/jane@receiver.test')
  await own.get(`/lists/${made.json.id}`)
  await own.get('/emailz/jane@receiver.test?api_key=sw_x')
  const key = await own.post('/api-keys', { name: 'Another' })
  const entries = await readLog(own, 6)
  expect(entries.map((entry) => [entry.method, entry.endpoint, entry.route, entry.response_status])).toEqual([
    ['POST', '/api-keys', '/api-keys', 201],
    ['GET', '/emailz/*', null, 404],
    ['GET', `/lists/${made.json.id}`, '/lists/{id}', 200],
    ['GET', '/contacts/{id}', '/contacts/{id}', 404],
    ['POST', '/contacts', '/contacts', 422],
    ['POST', '/lists', '/lists', 201],
  ])
  expect(entries[5]).toMatchObject({
    object: 'log',
    id: made.headers.get('x-request-id'),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    user_agent: 'shop/1.0',
    ip_address: '127.0.0.1',
    api_key: { id: own.keyId, name: 'test' },
    record_id: made.json.id,
    request_size: Buffer.byteLength(JSON.stringify({ name: 'VIP customers' })),
    response_size: Buffer.byteLength(made.text),
    request_body: null,
    response_body: null,
  })
  expect(entries[4]?.response_body).toEqual(wrong.json)
  const stored = JSON.stringify(await api.db.query('select r::text as row from request_log r'))
  for (const text of ['jane', 'VIP', 'secret', 'sw_x', key.json.token, own.token]) {
    expect(stored).not.toContain(text)
  }
})

test('logged: requests that are rejected for their key or method; not logged: those without a valid key', async () => {
  const own = await api.givenTeam()
  const sending = await own.givenKey({ permission: 'send' })
  expect((await sending.get('/lists')).status).toBe(403)
  expect((await own.put('/lists', {})).status).toBe(405)
  expect((await api.as('sw_unknown').get('/lists')).status).toBe(401)
  const entries = await readLog(own, 2)
  expect(entries).toMatchObject([
    { endpoint: '/lists', route: null, method: 'PUT', response_body: { name: 'method_not_allowed' } },
    { endpoint: '/lists', api_key: { id: sending.keyId }, response_body: { name: 'restricted_api_key' } },
  ])
  expect((await sending.get('/logs')).status).toBe(403)
})

test('200 for one request by its x-request-id; 404 for one of another team, as for an unknown one', async () => {
  const { headers } = await team.get('/lists')
  const id = headers.get('x-request-id') as string
  await expect.poll(async () => (await team.get(`/logs/${id}`)).status, { timeout: 60_000 }).toBe(200)
  expect((await team.get(`/logs/${id.toUpperCase()}`)).json).toMatchObject({ object: 'log', id })
  const other = await api.givenTeam()
  const [foreign, unknown] = [
    await other.get(`/logs/${id}`),
    await other.get(`/logs/${firstIdAt(new Date())}`),
  ]
  expect(foreign.status).toBe(404)
  expect(foreign.text).toBe(unknown.text)
  expect((await other.get(`/logs?request_id=${id}`)).json.data).toEqual([])
  expect((await team.get(`/logs?request_id=${id}`)).json).toMatchObject({
    data: [{ id }],
    meta: { total: 1 },
  })
})

describe('filters', () => {
  let own: GivenTeam
  let second: { keyId: string }
  let listId: string
  const found = async (query: string) =>
    ((await own.get(`/logs?${query}`)).json.data as Entry[]).filter(
      ({ endpoint }) => !endpoint.startsWith('/logs'),
    )

  beforeAll(async () => {
    own = await api.givenTeam()
    const key = await own.givenKey()
    second = key
    listId = (await own.post('/lists', { name: 'One' })).json.id
    await own.post('/lists', {})
    await key.delete(`/lists/${listId}`)
    await readLog(own, 3)
  })

  test.each([
    ['method=delete', 1],
    ['method=POST', 2],
    ['status=422', 1],
    ['status=4xx', 1],
    ['status=2XX', 2],
    ['status=5xx', 0],
    ['route=/lists/{id}', 1],
    ['endpoint=/lists', 2],
    ['endpoint=/lists/', 1],
    ['start_date=2020-01-01', 3],
    ['end_date=2020-01-01', 0],
  ])('%s: %i', async (query, count) => {
    expect(await found(query)).toHaveLength(count)
  })

  test('by key', async () => {
    const entries = await found(`api_key_id=${second.keyId}`)
    expect(entries).toMatchObject([{ method: 'DELETE', endpoint: `/lists/${listId}` }])
  })

  test('combined', async () => {
    expect(await found('method=POST&status=422&endpoint=/lists')).toHaveLength(1)
    expect(await found('method=GET&status=422')).toHaveLength(0)
  })

  test('422 for a status that does not exist', async () => {
    expect((await own.get('/logs?status=9xx')).status).toBe(422)
    expect((await own.get("/logs?status=200' or true --")).status).toBe(422)
  })
})

test('paged by number and by id; a rare match beyond the scan is on a later page', async () => {
  const own = await api.givenTeam()
  const count = REQUEST_SCAN_MAX + 50
  const startMs = Date.now() - count * 1_000
  const entry = {
    teamId: own.id,
    apiKeyId: own.keyId,
    method: 'GET',
    route: '/lists',
    path: '/lists',
    durationMs: 1,
    requestBytes: null,
    responseBytes: null,
    ipAddress: '',
    userAgent: null,
    recordId: null,
    error: null,
    createdAt: new Date(),
  }
  const entries = Array.from({ length: count }, (_, index) => ({
    ...entry,
    id: firstIdAt(new Date(startMs + index * 1_000)),
    status: index === 10 ? 201 : 200,
  }))
  await insertRequests(api.db, entries)
  await insertRequests(api.db, entries.slice(0, 10))
  const first = (await own.get('/logs?per_page=2')).json
  expect(first.meta.total).toBeGreaterThanOrEqual(count)
  expect(first.meta.total).toBeLessThan(count + 5)
  const next = (await own.get(`/logs?per_page=2&after=${first.data[1].id}`)).json
  const back = (await own.get(`/logs?per_page=2&before=${next.data[0].id}`)).json
  expect(back.data.map(({ id }: Entry) => id)).toEqual(first.data.map(({ id }: Entry) => id))
  const rare = (await own.get('/logs?status=201')).json
  expect(rare).toMatchObject({ data: [], has_more: true })
  const { search } = new URL(rare.links.next)
  expect((await own.get(`/logs${search}`)).json).toMatchObject({
    data: [{ id: entries[10]?.id }],
    has_more: false,
  })
})

test('written again without a second entry, after a commit whose outcome was unknown', async () => {
  const own = await api.givenTeam()
  let attempts = 0
  const retrying = createRequestWriter({
    async write(requests) {
      await insertRequests(api.db, requests)
      if (++attempts === 1) throw new DatabaseUnavailable(new Error('lost the answer'))
    },
    clock: api.deps.clock,
    log: api.deps.log,
    onLost() {},
  })
  const { headers } = await own.get('/lists')
  const [logged] = await readLog(own, 1)
  retrying.record({
    teamId: own.id,
    apiKeyId: own.keyId,
    method: 'GET',
    route: null,
    path: '/x',
    status: 200,
    durationMs: 1,
    requestBytes: null,
    responseBytes: null,
    ipAddress: '',
    userAgent: null,
    recordId: null,
    error: null,
    id: firstIdAt(new Date()),
  })
  await expect.poll(() => attempts, { timeout: 60_000 }).toBe(2)
  await retrying.stop()
  expect(logged?.id).toBe(headers.get('x-request-id'))
  expect(await readLog(own, 2)).toHaveLength(2)
})
