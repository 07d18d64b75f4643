import { randomBytes } from 'node:crypto'
import { Resend } from 'resend'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { startDns, type TestDns } from '../../../test/support/dns.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { newId } from '../../lib/ids.ts'
import { domainRoutes } from './domains-routes.ts'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

let dns: TestDns
let api: Api
let ann: GivenTeam
let bob: GivenTeam

beforeAll(async () => {
  dns = await startDns()
  api = await startApi({
    routes: domainRoutes,
    environment: {
      SENDWRIGHT_DELIVERY: 'direct',
      SENDWRIGHT_HOSTNAME: 'mx.sender.test',
      SENDWRIGHT_DNS_SERVERS: dns.server,
    },
    deps: { secret: randomBytes(32) },
  })
  ann = await api.givenTeam()
  bob = await api.givenTeam()
})
afterAll(async () => {
  await api.stop()
  await dns.close()
})

interface JsonRecord {
  name: string
  type: string
  value: string
}

function publish(records: readonly JsonRecord[]) {
  for (const { name, type, value } of records)
    dns.set({ [name]: type === 'TXT' ? { txt: [value] } : { cname: value } })
}

test('201 with the domain and its records', async () => {
  const reply = await ann.post('/domains', { name: 'Created.Example', click_tracking: true, tls: 'enforced' })
  expect(reply.status).toBe(201)
  const { records, ...domain } = reply.json
  expect(domain).toEqual({
    object: 'domain',
    region: null,
    id: expect.any(String),
    name: 'created.example',
    status: 'pending',
    status_reason: null,
    captured: false,
    open_tracking: false,
    click_tracking: true,
    tls: 'enforced',
    dkim_ed25519: false,
    capabilities: { sending: 'enabled', receiving: 'disabled' },
    verified_at: null,
    checked_at: null,
    created_at: TIME,
    updated_at: TIME,
  })
  expect(records.map((record: { record: string }) => record.record)).toEqual([
    'DKIM',
    'SPF',
    'DMARC',
    'Tracking',
  ])
  expect(records[0]).toEqual({
    record: 'DKIM',
    type: 'TXT',
    name: `sw-${domain.id.slice(-8)}-rsa._domainkey.created.example`,
    value: expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{392}$/),
    ttl: 'Auto',
    status: 'pending',
    required: true,
    found: null,
    advice: null,
    checked_at: null,
  })
  expect(reply.text).not.toContain('PRIVATE')
  expect((await ann.get(`/domains/${domain.id}`)).json).toEqual(reply.json)
  expect((await ann.get(`/v1/domains/${domain.id.toUpperCase()}`)).json).toEqual(reply.json)
})

test('200 verified once the records are published and shown in `found`', async () => {
  const { id, records } = (await ann.post('/domains', { name: 'verified.example' })).json
  const pending = await ann.post(`/domains/${id}/verify`)
  expect(pending.status).toBe(200)
  expect(pending.json).toMatchObject({
    status: 'pending',
    status_reason: 'The DKIM record (RSA) was not found in DNS.',
    checked_at: TIME,
  })
  publish(records)
  const verified = await ann.post(`/domains/${id}/verify`)
  expect(verified.json).toMatchObject({ status: 'verified', status_reason: null, verified_at: TIME })
  for (const record of verified.json.records) {
    expect(record).toMatchObject({ status: 'verified', found: [record.value], checked_at: TIME })
  }
})

test.each([
  [{}, 'name', 'The name field is required.'],
  [{ name: null }, 'name', 'The name field is required.'],
  [{ name: '' }, 'name', 'The name field is required.'],
  [{ name: 5 }, 'name', 'The name field must be a string.'],
  [{ name: 'co.uk' }, 'name', 'The name field must not be a public suffix.'],
  [{ name: '127.0.0.1' }, 'name', 'The name field must be a valid domain name.'],
  [{ name: 'a\u0000b.example' }, 'name', 'The name field must not contain the character U+0000.'],
  [{ name: 'x.example', tls: 'never' }, 'tls', 'The tls field must be one of opportunistic, enforced.'],
  [
    { name: 'x.example', open_tracking: 'yes' },
    'open_tracking',
    'The open_tracking field must be true or false.',
  ],
])('422 for %j, and nothing is stored', async (body, field, message) => {
  const before = (await ann.get('/domains')).json.meta.total
  const reply = await ann.post('/domains', body)
  expect(reply.status).toBe(422)
  expect(reply.json).toEqual({
    statusCode: 422,
    name: 'validation_error',
    message,
    errors: { [field]: [message] },
  })
  expect((await ann.get('/domains')).json.meta.total).toBe(before)
})

test('409 for a name that the team already has', async () => {
  await ann.post('/domains', { name: 'twice.example' })
  const reply = await ann.post('/domains', { name: 'TWICE.example' })
  expect(reply.status).toBe(409)
  expect(reply.json).toMatchObject({ statusCode: 409, name: 'conflict' })
})

test('201, ignoring fields that only the server may set', async () => {
  const reply = await ann.post('/domains', {
    name: 'assigned.example',
    id: newId(),
    team_id: bob.id,
    status: 'verified',
    captured: true,
    verified_at: '2026-01-01 00:00:00',
  })
  expect(reply.json).toMatchObject({ status: 'pending', captured: false, verified_at: null })
  const changed = await ann.patch(`/domains/${reply.json.id}`, { status: 'verified', name: 'other.example' })
  expect(changed.json).toMatchObject({ status: 'pending', name: 'assigned.example' })
})

test('200 for both PATCH and PUT: only given fields change', async () => {
  const { id } = (await ann.post('/domains', { name: 'changed.example' })).json
  expect((await ann.patch(`/domains/${id}`, { open_tracking: true })).json).toMatchObject({
    open_tracking: true,
    click_tracking: false,
    tls: 'opportunistic',
  })
  expect((await ann.put(`/domains/${id}`, { tls: 'enforced' })).json).toMatchObject({
    open_tracking: true,
    tls: 'enforced',
    dkim_ed25519: false,
  })
  const { json } = await ann.patch(`/domains/${id}`, { dkim_ed25519: true })
  expect(json).toMatchObject({ open_tracking: true, tls: 'enforced', dkim_ed25519: true })
  expect(json.records.map(({ record }: { record: string }) => record).slice(0, 2)).toEqual(['DKIM', 'DKIM'])
  expect((await ann.patch(`/domains/${id}`, { dkim_ed25519: 'yes' })).status).toBe(422)
})

test('dkim_ed25519 is in the audit log, in every answer and in no event, as the other settings are', async () => {
  const { id } = (await ann.post('/domains', { name: 'audited.example', dkim_ed25519: true })).json
  for (const setting of ['tls', 'open_tracking', 'click_tracking', 'dkim_ed25519']) {
    const value = setting === 'tls' ? 'enforced' : false
    const changed = await ann.patch(`/domains/${id}`, { [setting]: value })
    const [entry] = await api.db.query<{ action: string; targetId: string; fields: string[] }>(
      'select action, target_id, fields from audit where team_id = $1 order by id desc limit 1',
      [ann.id],
    )
    expect(entry).toEqual({ action: 'domains.update', targetId: id, fields: [setting] })
    expect(changed.json[setting]).toBe(value)
    expect((await ann.get(`/domains/${id}`)).json[setting]).toBe(value)
    const listed: Record<string, unknown>[] = (await ann.get('/domains?limit=100')).json.data
    expect(listed.find((domain) => domain.id === id)?.[setting]).toBe(value)
  }
  await ann.delete(`/domains/${id}`)
  const events = await api.db.query<{ type: string; data: object }>(
    'select type, data from event where team_id = $1 and subject_id = $2 order by id',
    [ann.id, id],
  )
  expect(events.map(({ type }) => type)).toEqual(['domain.created', 'domain.deleted'])
  for (const { data } of events)
    expect(Object.keys(data).sort()).toEqual(['created_at', 'id', 'name', 'reason', 'status'])
})

test('200 for DELETE, then 404 for everything', async () => {
  const { id } = (await ann.post('/domains', { name: 'deleted.example' })).json
  const reply = await ann.delete(`/domains/${id}`)
  expect(reply.status).toBe(200)
  expect(reply.json).toEqual({ object: 'domain', id, deleted: true })
  expect((await ann.get(`/domains/${id}`)).status).toBe(404)
  expect((await ann.delete(`/domains/${id}`)).status).toBe(404)
  expect((await ann.post('/domains', { name: 'deleted.example' })).status).toBe(201)
})

test('404, byte for byte the same, for another team’s domain and an unknown one; it stays unchanged', async () => {
  const { id } = (await ann.post('/domains', { name: 'private.example' })).json
  const before = (await ann.get(`/domains/${id}`)).text
  for (const other of [id, id.toUpperCase()]) {
    for (const ask of [
      (wanted: string) => bob.get(`/domains/${wanted}`),
      (wanted: string) => bob.patch(`/domains/${wanted}`, { tls: 'enforced' }),
      (wanted: string) => bob.put(`/domains/${wanted}`, { tls: 'enforced' }),
      (wanted: string) => bob.post(`/domains/${wanted}/verify`),
      (wanted: string) => bob.delete(`/domains/${wanted}`),
    ]) {
      const [foreign, none, malformed] = [await ask(other), await ask(newId()), await ask('no-id')]
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe(none.text)
      expect(malformed.text).toBe(none.text)
    }
  }
  expect((await ann.get(`/domains/${id}`)).text).toBe(before)
  expect((await bob.get('/domains')).text).not.toContain('private.example')
})

test('403 for a sending key', async () => {
  const key = await ann.givenKey({ permission: 'send' })
  expect((await key.get('/domains')).status).toBe(403)
  expect((await key.post('/domains', { name: 'sent.example' })).status).toBe(403)
})

test('200 with pages of domains, newest first, without their records', async () => {
  const team = await api.givenTeam()
  const names = ['one.example', 'two.example', 'three.example']
  for (const name of names) await team.post('/domains', { name })
  const first = (await team.get('/domains?per_page=2')).json
  expect(first.data.map((domain: { name: string }) => domain.name)).toEqual(['three.example', 'two.example'])
  expect(first).toMatchObject({ object: 'list', has_more: true, meta: { total: 3, last_page: 2 } })
  expect(first.data[0]).not.toHaveProperty('records')
  const rest = (await team.get(`/domains?limit=2&after=${first.data[1].id}`)).json
  expect(rest.data.map((domain: { name: string }) => domain.name)).toEqual(['one.example'])
})

test('200 for the Resend SDK: create, list, get, update, verify, remove', async () => {
  const resend = new Resend(ann.token, { baseUrl: api.url })
  const created = await resend.domains.create({ name: 'resend.example', openTracking: true, tls: 'enforced' })
  expect(created.error).toBeNull()
  expect(created.data).toMatchObject({ name: 'resend.example', status: 'pending', open_tracking: true })
  const id = created.data?.id as string
  publish(created.data?.records as JsonRecord[])
  expect((await resend.domains.verify(id)).data).toMatchObject({ object: 'domain', id })
  expect((await resend.domains.get(id)).data).toMatchObject({ object: 'domain', status: 'verified' })
  expect((await resend.domains.update({ id, clickTracking: true })).data).toMatchObject({
    id,
    click_tracking: true,
    open_tracking: true,
  })
  const listed = await resend.domains.list({ limit: 1 })
  expect(listed.data).toMatchObject({ object: 'list', has_more: true, data: [{ id, status: 'verified' }] })
  expect((await resend.domains.remove(id)).data).toMatchObject({ object: 'domain', id, deleted: true })
  expect((await resend.domains.get(id)).error).toMatchObject({ name: 'not_found', message: 'Not found.' })
  const refused = await resend.domains.create({ name: 'github.io' })
  expect(refused.error).toMatchObject({ name: 'validation_error', statusCode: 422 })
})

test('200 with the records as a zone file, or as commands for a DNS provider; 404 for another team', async () => {
  const { id, records } = (await ann.post('/domains', { name: 'exported.example' })).json
  const zone = await ann.get(`/domains/${id}/records?format=zone`)
  expect(zone.status).toBe(200)
  expect(zone.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(zone.text.match(/ IN (TXT|CNAME) /g)).toHaveLength(records.length)
  expect((await ann.get(`/domains/${id}/records`)).text).toBe(zone.text)
  const cloudflare = await ann.get(`/domains/${id}/records?format=cloudflare`)
  expect(cloudflare.text).toContain('https://api.cloudflare.com/client/v4/zones/')
  expect((await ann.get(`/domains/${id}/records?format=bind`)).status).toBe(422)
  expect((await bob.get(`/domains/${id}/records`)).status).toBe(404)
})
