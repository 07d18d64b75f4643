import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { DatabaseUnavailable } from '../../db/db-types.ts'
import { route } from './route.ts'

const common = {
  summary: 'x',
  area: 'operation',
  permission: 'full',
  responses: {},
  /** Fails like a transaction whose COMMIT was sent and not answered. */
  async handle() {
    throw new DatabaseUnavailable(new Error('read ECONNRESET'), true)
  },
} as const

let api: Api
let team: GivenTeam
beforeAll(async () => {
  api = await startApi({
    routes: [
      route('GET', '/read', common),
      route('POST', '/change', common),
      route('POST', '/send', { ...common, headers: { 'Idempotency-Key': 'x' } }),
    ],
  })
  team = await api.givenTeam()
})
afterAll(() => api.stop())

test.each([
  ['without a key', '/send', {}],
  ['to a route without keys', '/change', {}],
  ['to a route that reads no key', '/change', { 'idempotency-key': 'one' }],
])(
  '500, which clients do not repeat, if nobody knows whether a request %s was stored',
  async (_name, path, headers) => {
    const reply = await team.post(path, {}, headers)
    expect(reply.headers.get('retry-after')).toBeNull()
    expect(reply.json).toEqual({
      statusCode: 500,
      name: 'internal_server_error',
      message: 'The request may have taken effect. Check before you repeat it.',
    })
  },
)

test('503 with Retry-After for a request with a key, which is accepted once, and for one that reads', async () => {
  const keyed = await team.post('/send', {}, { 'idempotency-key': 'one' })
  expect(Number(keyed.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(keyed.json).toEqual({
    statusCode: 503,
    name: 'service_unavailable',
    message:
      'The request may have taken effect. Repeat it with the same Idempotency-Key, which prevents a duplicate.',
  })
  expect((await team.get('/read')).status).toBe(503)
})
