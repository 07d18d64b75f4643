import { crc32 } from 'node:zlib'
import { Resend } from 'resend'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import type { GivenTeam } from '../../test/support/teams.ts'
import { type Domain, insertDomain } from '../domains/domains-queries.ts'
import { newId } from '../lib/ids.ts'
import { apiKeyRoutes } from './api-keys-routes.ts'

let api: Api
let team: GivenTeam
beforeAll(async () => {
  api = await startApi({ routes: apiKeyRoutes })
  team = await api.givenTeam()
})
afterAll(() => api.stop())

async function givenDomain(teamId: string): Promise<string> {
  const id = newId()
  const now = new Date()
  const domain: Domain = {
    teamId,
    id,
    name: `${id}.example.com`,
    status: 'pending',
    captured: false,
    tls: 'opportunistic',
    openTracking: false,
    clickTracking: false,
    dkimEd25519: false,
    checks: {},
    returnPathVerified: false,
    reason: null,
    verifiedAt: null,
    pendingSince: now,
    failedDays: 0,
    failedDayAt: null,
    checkedAt: null,
    nextCheckAt: null,
    createdAt: now,
    updatedAt: now,
  }
  await api.db.transaction((tx) => insertDomain(tx, domain))
  return id
}

describe('POST /api-keys', () => {
  test('201 with the token once, and never again', async () => {
    const made = await team.post('/api-keys', { name: 'Production' })
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({
      name: 'Production',
      permission: 'full',
      domain_id: null,
      status: 'active',
      expires_at: null,
      last_used_at: null,
    })
    expect(made.json.token).toMatch(/^sw_[0-9A-Za-z]{40}$/)
    expect(made.json.prefix).toBe(made.json.token.slice(0, 8))
    expect((await api.as(made.json.token).get('/api-keys')).status).toBe(200)
    const read = await team.get(`/api-keys/${made.json.id}`)
    expect(read.text).not.toContain('token')
    expect(read.json.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  })

  test('201 with a verifiable checksum in the token', async () => {
    const { token } = (await team.post('/api-keys', { name: 'x' })).json
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const value = [...token.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)
    expect(value).toBe(crc32(token.slice(3, -6)))
  })

  test.each([
    ['full_access', 'full'],
    ['sending_access', 'send'],
    ['send', 'send'],
  ])('201 with %s stored as %s', async (given, stored) => {
    expect((await team.post('/api-keys', { name: 'x', permission: given })).json.permission).toBe(stored)
  })

  test('201; fields that only the server sets are ignored', async () => {
    const id = newId()
    const made = await team.post('/api-keys', {
      name: 'x',
      id,
      team_id: id,
      status: 'revoked',
      token: 'mine',
      created_at: '2020-01-01 00:00:00',
    })
    expect(made.json.id).not.toBe(id)
    expect(made.json.status).toBe('active')
    expect(made.json.created_at).not.toContain('2020')
  })

  test.each([
    [{}, 'The name field is required.'],
    [{ name: '' }, 'The name field is required.'],
    [{ name: 5 }, 'The name field must be a string.'],
    [{ name: 'x'.repeat(256) }, 'The name field must not be greater than 255 characters.'],
    [
      { name: 'x', permission: 'root' },
      'The permission field must be one of full, send, full_access, sending_access.',
    ],
    [{ name: 'x', domain_id: 'abc' }, 'The domain_id field must be a valid UUID.'],
    [{ name: 'x', domain_id: newId() }, 'The domain_id field must be the id of a domain of this account.'],
    [{ name: 'x', expires_at: 'tomorrow' }, 'The expires_at field must be an ISO 8601 timestamp.'],
    [{ name: 'x', expires_at: '2001-01-01T00:00:00Z' }, 'The expires_at field must be a date in the future.'],
    [{ name: 'x', expires_at: 5 }, 'The expires_at field must be a string.'],
  ])('422 for %j', async (body, message) => {
    const reply = await team.post('/api-keys', body)
    expect(reply.status).toBe(422)
    expect(reply.json.message).toBe(message)
  })

  test("422 for another team's domain, with the same bytes as for an unknown domain", async () => {
    const other = await api.givenTeam()
    const foreign = await team.post('/api-keys', { name: 'x', domain_id: await givenDomain(other.id) })
    const unknown = await team.post('/api-keys', { name: 'x', domain_id: newId() })
    expect(foreign.text).toBe(unknown.text)
    expect((await team.post('/api-keys', { name: 'x', domain_id: await givenDomain(team.id) })).status).toBe(
      201,
    )
  })

  test('403 for a key that would exceed the powers of its creator', async () => {
    const domainId = await givenDomain(team.id)
    const bound = await team.givenKey({ domainId })
    expect((await bound.post('/api-keys', { name: 'x' })).status).toBe(403)
    expect((await bound.post('/api-keys', { name: 'x', domain_id: domainId })).status).toBe(201)
    expect((await bound.put(`/api-keys/${bound.keyId}`, { domain_id: null })).status).toBe(403)
    const brief = await team.givenKey({ expiresAt: new Date(Date.now() + 3_600_000) })
    expect((await brief.post('/api-keys', { name: 'x' })).status).toBe(403)
    expect((await brief.put(`/api-keys/${brief.keyId}`, { expires_at: null })).status).toBe(403)
    const sender = await team.givenKey({ permission: 'send' })
    expect((await sender.post('/api-keys', { name: 'x', permission: 'send' })).status).toBe(403)
  })
})

describe('PUT and PATCH /api-keys/{id}', () => {
  test.each(['put', 'patch'] as const)('200 with only the given fields changed: %s', async (verb) => {
    const { id } = (
      await team.post('/api-keys', {
        name: 'old',
        permission: 'send',
        expires_at: '2099-01-01T00:00:00+02:00',
      })
    ).json
    const changed = await team[verb](`/api-keys/${id}`, { name: 'new' })
    expect(changed.json).toMatchObject({ name: 'new', permission: 'send', expires_at: '2098-12-31 22:00:00' })
    expect((await team[verb](`/api-keys/${id}`, { expires_at: null })).json.expires_at).toBeNull()
    expect((await team[verb](`/api-keys/${id}`, {})).json.name).toBe('new')
  })

  test('200 for a null name, which changes nothing; 422 for an empty name', async () => {
    const { name } = (await team.get(`/api-keys/${team.keyId}`)).json
    const kept = await team.put(`/api-keys/${team.keyId}`, { name: null })
    expect([kept.status, kept.json.name]).toEqual([200, name])
    expect((await team.put(`/api-keys/${team.keyId}`, { name: '' })).status).toBe(422)
  })
})

describe('DELETE /api-keys/{id}', () => {
  test('200, and the record remains as revoked', async () => {
    const key = await team.givenKey()
    const reply = await team.delete(`/api-keys/${key.keyId}`)
    expect(reply.json).toEqual({ object: 'api_key', id: key.keyId, deleted: true })
    expect((await team.get(`/api-keys/${key.keyId}`)).json.status).toBe('revoked')
    expect((await team.delete(`/api-keys/${key.keyId}`)).status).toBe(200)
    expect((await key.get('/api-keys')).status).toBe(401)
  })
})

test("404 with the same bytes for another team's key, an unknown key and an invalid id; the other team's key does not change", async () => {
  const other = await api.givenTeam()
  for (const verb of ['get', 'put', 'patch', 'delete'] as const) {
    const answers = [other.keyId, newId(), 'x', '%00', "'"].map(
      async (id) => (await team[verb](`/api-keys/${id}`, {} as never)).text,
    )
    expect(new Set(await Promise.all(answers))).toEqual(
      new Set(['{"statusCode":404,"name":"not_found","message":"Not found."}']),
    )
  }
  expect((await other.get('/api-keys')).json.data[0]).toMatchObject({
    id: other.keyId,
    status: 'active',
    name: 'test',
  })
})

describe('GET /api-keys', () => {
  test("200 in pages, newest first, with this team's keys only", async () => {
    const fresh = await api.givenTeam()
    for (let number = 0; number < 6; number++) await fresh.post('/api-keys', { name: `key ${number}` })
    const first = await fresh.get('/api-keys?per_page=3')
    expect(first.json.object).toBe('list')
    expect(first.json.data.map((key: { name: string }) => key.name)).toEqual(['key 5', 'key 4', 'key 3'])
    expect(first.json.has_more).toBe(true)
    expect(first.json.meta).toEqual({
      current_page: 1,
      from: 1,
      last_page: 3,
      path: 'https://api.test/api-keys',
      per_page: 3,
      to: 3,
      total: 7,
    })
    expect(first.json.links).toEqual({
      first: 'https://api.test/api-keys?per_page=3&page=1',
      last: 'https://api.test/api-keys?per_page=3&page=3',
      prev: null,
      next: 'https://api.test/api-keys?per_page=3&page=2',
    })
    const last = await fresh.get('/api-keys?per_page=3&page=3')
    expect(last.json.data).toHaveLength(1)
    expect(last.json).toMatchObject({ has_more: false, links: { next: null }, meta: { from: 7, to: 7 } })
    const beyond = await fresh.get('/api-keys?page=99')
    expect(beyond.status).toBe(200)
    expect(beyond.json).toMatchObject({ data: [], has_more: false, meta: { from: 0, to: 0, total: 7 } })
  })

  test('200 for every page when following next and prev with keyset pagination', async () => {
    const fresh = await api.givenTeam()
    for (let number = 0; number < 4; number++) await fresh.post('/api-keys', { name: `key ${number}` })
    const all = (await fresh.get('/api-keys')).json.data.map((key: { id: string }) => key.id)
    const path = (url: string) => url.replace('https://api.test', '')
    const start = await fresh.get(`/api-keys?limit=2&after=${all[0]}`)
    expect(start.json.data.map((key: { id: string }) => key.id)).toEqual([all[1], all[2]])
    const next = await fresh.get(path(start.json.links.next))
    expect(next.json.data.map((key: { id: string }) => key.id)).toEqual([all[3], all[4]])
    expect(next.json.has_more).toBe(false)
    const back = await fresh.get(path(next.json.links.prev))
    expect(back.json.data.map((key: { id: string }) => key.id)).toEqual([all[1], all[2]])
    const top = await fresh.get(`/api-keys?limit=2&before=${all[1]}`)
    expect(top.json.data.map((key: { id: string }) => key.id)).toEqual([all[0]])
  })

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=',
    'per_page=0',
    'per_page=101',
    'per_page=1e1',
    'limit=0',
    'after=x',
    'page=1&page=2',
  ])('422 for %s', async (query) => {
    expect((await team.get(`/api-keys?${query}`)).status).toBe(422)
  })

  test('200 with links that ignore the Host header', async () => {
    const reply = await team.get('/api-keys', { 'x-forwarded-host': 'evil.test' })
    expect(reply.text).not.toContain('evil.test')
  })
})

test('200 for create, list and remove with the unmodified Resend SDK', async () => {
  const resend = new Resend(team.token, { baseUrl: api.url } as never)
  const made = await resend.apiKeys.create({ name: 'from the SDK', permission: 'sending_access' })
  expect(made.error).toBeNull()
  expect(made.data?.token).toMatch(/^sw_/)
  const list = await resend.apiKeys.list()
  expect(list.data?.data.some((key) => key.id === made.data?.id)).toBe(true)
  expect((await resend.apiKeys.remove(made.data?.id ?? '')).error).toBeNull()
})
