import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { Requester } from '../../../test/support/client.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { openDb } from '../../db/db.ts'
import { DatabaseUnavailable, type Db } from '../../db/db-types.ts'
import { apiKeyRoutes } from '../../keys/api-keys-routes.ts'
import { createAuthenticator } from '../../keys/authenticate.ts'
import { newKeyToken } from '../../keys/key-token.ts'
import { createKey } from '../../keys/keys.ts'
import { pauseTeam, resumeTeam, setPlan } from '../../teams/teams.ts'
import { route } from '../route/route.ts'

const common = { summary: 'x', area: 'operation', responses: {} } as const
const ROUTES = [
  ...apiKeyRoutes,
  route('POST', '/send', {
    ...common,
    permission: 'send',
    limit: 'send',
    handle: async ({ caller }) => ({ status: 202, json: caller }),
  }),
  route('GET', '/whoami', {
    ...common,
    permission: 'full',
    limit: 'general',
    handle: async ({ caller }) => ({ status: 200, json: caller }),
  }),
]

let api: Api
let team: GivenTeam
beforeAll(async () => {
  api = await startApi({ routes: ROUTES })
  team = await api.givenTeam()
})
afterAll(() => api.stop())

/** Sends a request with exactly these header lines. */
function statusWith(lines: string[], path = '/whoami'): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(api.url + path, { headers: ['Host', 'x', ...lines] as never }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject).end()
  })
}

/** Sends requests until the key is rejected. Returns the start of the last request that returned 200. */
async function lastAdmittedMs(asked: Requester): Promise<number> {
  let admittedMs = Number.NEGATIVE_INFINITY
  for (;;) {
    const beganMs = performance.now()
    const { status } = await asked.get('/whoami')
    if (status === 401) return admittedMs
    expect(status).toBe(200)
    admittedMs = beganMs
  }
}

describe('401', () => {
  test.each([
    ['no header', () => []],
    ['an empty header', () => ['Authorization', '']],
    ['the scheme alone', () => ['Authorization', 'Bearer']],
    ['Basic', (token: string) => ['Authorization', `Basic ${Buffer.from(`${token}:`).toString('base64')}`]],
    ['the key without a scheme', (token: string) => ['Authorization', token]],
    ['two keys in one header', (token: string) => ['Authorization', `Bearer ${token}, Bearer ${token}`]],
    [
      'two headers, both right',
      (token: string) => ['Authorization', `Bearer ${token}`, 'authorization', `Bearer ${token}`],
    ],
    ['a key that never was', () => ['Authorization', `Bearer ${newKeyToken(null)}`]],
    [
      'a key with one character changed',
      (token: string) => ['Authorization', `Bearer ${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`],
    ],
    ['a key of 1,001 characters', () => ['Authorization', `Bearer ${'x'.repeat(1_001)}`]],
    ['another header', (token: string) => ['X-Api-Key', token]],
  ])('401 for %s', async (_, lines) => {
    expect(await statusWith(lines(team.token))).toBe(401)
  })

  test('401 for a key in the query', async () => {
    expect(await statusWith([], `/whoami?api_key=${team.token}&token=${team.token}`)).toBe(401)
  })

  test('401 with the same body for a missing, a wrong, a revoked and an expired key', async () => {
    const revoked = await team.givenKey()
    await team.delete(`/api-keys/${revoked.keyId}`)
    const expired = await team.givenKey({ expiresAt: new Date(Date.now() + 10) })
    await expect.poll(async () => (await expired.get('/whoami')).status).toBe(401)
    await expect.poll(async () => (await revoked.get('/whoami')).status).toBe(401)
    const replies = [
      await api.as(newKeyToken(null)).get('/whoami'),
      await revoked.get('/whoami'),
      await expired.get('/whoami'),
    ]
    for (const reply of replies) {
      expect(reply.json).toEqual({ statusCode: 401, name: 'invalid_api_key', message: 'Invalid API key.' })
    }
    const missing = await api.as(null).get('/whoami')
    expect(missing.json).toEqual({ statusCode: 401, name: 'missing_api_key', message: 'Invalid API key.' })
    expect(missing.headers.get('www-authenticate')).toBe('Bearer')
  })
})

test("200 for an operator's key in our form with another checksum", async () => {
  const token = `sw_${'Operator1'.repeat(5).slice(0, 40)}`
  const input = { name: 'chosen', permission: 'full', domainId: null, expiresAt: null } as const
  await api.db.transaction((tx) => createKey(tx, team.id, input, null, new Date(), token))
  expect(await statusWith(['Authorization', `Bearer ${token}`])).toBe(200)
})

test('200 for the scheme in any case', async () => {
  expect(await statusWith(['Authorization', `bearer ${team.token}`])).toBe(200)
})

test('403 for a sending key on other than sending routes', async () => {
  const sender = await team.givenKey({ permission: 'send' })
  expect((await sender.post('/send', {})).status).toBe(202)
  const reply = await sender.get('/whoami')
  expect(reply.status).toBe(403)
  expect(reply.json.name).toBe('restricted_api_key')
  expect((await sender.get('/nowhere')).status).toBe(404)
})

test('401 within a second of the revocation, in a process that has the key in its cache and gets no notification', async () => {
  const other = await api.another()
  const key = await team.givenKey()
  expect((await other.as(key.token).get('/whoami')).status).toBe(200)
  // Written directly to the database, without NOTIFY.
  await api.db.query('update api_key set revoked_at = $3 where team_id = $1 and id = $2', [
    team.id,
    key.keyId,
    new Date(),
  ])
  const revokedMs = performance.now()
  expect((await lastAdmittedMs(other.as(key.token))) - revokedMs).toBeLessThan(1_000)
})

test('401 soon in another process that gets the notification', async () => {
  const other = await api.another()
  const key = await team.givenKey()
  const asked = other.as(key.token)
  await expect.poll(async () => (await asked.get('/whoami')).status).toBe(200)
  await team.delete(`/api-keys/${key.keyId}`)
  const revokedMs = performance.now()
  expect((await lastAdmittedMs(asked)) - revokedMs).toBeLessThan(1_000)
})

test('one statement for many simultaneous requests with many keys, and none while they are cached', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, () => team.givenKey()))
  let statements = 0
  const db: Db = {
    ...api.db,
    query(sql, values) {
      statements++
      return api.db.query(sql, values)
    },
  }
  const auth = createAuthenticator({ ...api.deps, db })
  const askAll = () =>
    Promise.all(Array.from({ length: 500 }, (_, index) => auth.authenticate(keys[index % 5]?.token ?? '')))
  const callers = await askAll()
  expect(new Set(callers.map((caller) => caller.keyId)).size).toBe(5)
  await askAll()
  expect(statements).toBe(1)
  await auth.stop()
})

test('401 right after a revocation, without a notification and with a recently used key', async () => {
  const isolated = await startApi({ routes: ROUTES, receivesNotifications: false })
  const owner = await isolated.givenTeam()
  const key = await owner.givenKey()
  expect((await key.get('/whoami')).status).toBe(200)
  await owner.delete(`/api-keys/${key.keyId}`)
  expect((await key.get('/whoami')).status).toBe(401)
  await isolated.stop()
})

test('DatabaseUnavailable, never a wrong result, if a key cannot be looked up', async () => {
  const db = openDb('postgres://127.0.0.1:1/none', { connectionsMax: 1, timeoutMs: 500, name: 'test' })
  const auth = createAuthenticator({ ...api.deps, db })
  auth.start()
  const asked = auth.authenticate(team.token)
  await expect(asked).rejects.toBeInstanceOf(DatabaseUnavailable)
  await auth.stop()
  await db.close()
})

test("paused within a second of the team's pause", async () => {
  const paused = await api.givenTeam()
  expect((await paused.get('/whoami')).json.isSendingPaused).toBe(false)
  await pauseTeam(api.db, paused.id, new Date())
  await expect.poll(async () => (await paused.get('/whoami')).json.isSendingPaused).toBe(true)
  await resumeTeam(api.db, paused.id, new Date())
  await expect.poll(async () => (await paused.get('/whoami')).json.isSendingPaused).toBe(false)
})

test('limited by the new plan within a second', async () => {
  const small = await api.givenTeam({ plan: 'free' })
  expect((await small.post('/send', {})).headers.get('ratelimit-limit')).toBe('60')
  await setPlan(api.db, small.id, '10k', new Date())
  await expect.poll(async () => (await small.post('/send', {})).headers.get('ratelimit-limit')).toBe('120')
})

describe('last_used_at', () => {
  test('null before the first use, then set within moments, then updated once a minute', async () => {
    const key = await team.givenKey()
    expect((await team.get(`/api-keys/${key.keyId}`)).json.last_used_at).toBeNull()
    await key.get('/whoami')
    const read = async () => (await team.get(`/api-keys/${key.keyId}`)).json.last_used_at as string | null
    await expect.poll(read, { timeout: 60_000 }).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    const first = await read()
    await key.get('/whoami')
    expect(await read()).toBe(first)
  })

  test('written on stop', async () => {
    const short = await startApi({ routes: ROUTES })
    const fresh = await short.givenTeam()
    await fresh.get('/whoami')
    const auth = createAuthenticator(short.deps)
    await auth.authenticate(fresh.token)
    await auth.stop()
    const rows = await short.db.query<{ lastUsedAt: Date | null }>(
      'select last_used_at from api_key where team_id = $1',
      [fresh.id],
    )
    expect(rows[0]?.lastUsedAt).toBeInstanceOf(Date)
    await short.stop()
  })
})

test('hashed: the database holds no key, only its hash and first characters', async () => {
  const key = await team.givenKey()
  const dump = await api.db.query('select k::text, h::text from api_key k, api_key_hash h')
  expect(JSON.stringify(dump)).not.toContain(key.token)
  expect(JSON.stringify(dump)).not.toContain(key.token.slice(0, 12))
})
