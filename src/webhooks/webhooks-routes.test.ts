import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import type { GivenTeam } from '../../test/support/teams.ts'
import { SENT_EVENT_TYPES } from '../events/catalogue.ts'
import { recordEvents } from '../events/record-queries.ts'
import { newId } from '../lib/ids.ts'
import { createGuard } from '../lib/net/egress-guard.ts'
import { deriveWebhookKey, formatWebhookSecret, openWebhookSecrets } from './request/secrets.ts'
import { WEBHOOKS_MAX } from './webhooks.ts'
import { findWebhook } from './webhooks-queries.ts'
import { webhookRoutes } from './webhooks-routes.ts'

const ENDPOINT = 'https://shop.example.com/hooks'
const secret = randomBytes(32)
let api: Api
let team: GivenTeam

beforeAll(async () => {
  const guard = createGuard({ allowPrivate: false })
  api = await startApi({ routes: webhookRoutes, deps: { secret, guard } })
  team = await api.givenTeam()
})
afterAll(() => api?.stop())

const create = async (fields: object = {}) =>
  (await team.post('/webhooks', { endpoint: ENDPOINT, ...fields })).json
const rowOf = async (id: string) =>
  (await findWebhook(api.db, team.id, id)) as NonNullable<Awaited<ReturnType<typeof findWebhook>>>

/** Records an event of the team. */
const recordEvent = () =>
  api.db.transaction(async (tx) =>
    recordEvents(tx, [{ teamId: team.id, subjectId: newId(), type: 'domain.created', data: {} }], new Date()),
  )

describe('POST /webhooks', () => {
  test('201 with the webhook and its signing secret, starting at the end of the feed', async () => {
    await recordEvent()
    const reply = await team.post('/webhooks', { endpoint: ENDPOINT, events: ['email.sent', 'email.sent'] })
    expect(reply.status).toBe(201)
    expect(reply.json).toEqual({
      object: 'webhook',
      id: expect.any(String),
      endpoint: ENDPOINT,
      url: ENDPOINT,
      events: ['email.sent'],
      description: null,
      status: 'enabled',
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      previous_secret_until: null,
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const [feed] = await api.db.query<{ position: number }>(
      'select position from event_feed where team_id = $1',
      [team.id],
    )
    expect((await rowOf(reply.json.id)).position).toBe(feed?.position)
  })

  test('201 with all events for *, for null and without events; under either name of the URL', async () => {
    expect((await create({ events: ['*', 'email.sent'] })).events).toBeNull()
    expect((await create({ events: null })).events).toBeNull()
    const { json } = await team.post('/webhooks', { url: `${ENDPOINT}?a=b` })
    expect(json).toMatchObject({ events: null, endpoint: `${ENDPOINT}?a=b` })
  })

  test('422 with every invalid event type, and the valid ones', async () => {
    const { status, json } = await team.post('/webhooks', {
      endpoint: ENDPOINT,
      events: ['email.sent', 'email.read', 'email.received'],
    })
    expect(status).toBe(422)
    expect(json.errors).toEqual({
      'events.1': [`The events.1 field must be one of ${SENT_EVENT_TYPES.join(', ')}.`],
      'events.2': [`The events.2 field must be one of ${SENT_EVENT_TYPES.join(', ')}.`],
    })
    expect(SENT_EVENT_TYPES).not.toContain('email.received')
    const { id } = (await team.post('/webhooks', { endpoint: ENDPOINT })).json
    const tested = await team.post(`/webhooks/${id}/test`, { type: 'email.received' })
    const changed = await team.patch(`/webhooks/${id}`, { events: ['email.received'] })
    expect([tested.status, changed.status]).toEqual([422, 422])
  })

  test.each([
    ['nothing', undefined, 'is required'],
    ['no URL', 'shop', 'must be a valid URL'],
    ['white space', ' https://a.example', 'must be a valid URL'],
    ['a line break', 'https://a.exam\nple', 'must be a valid URL'],
    ['another scheme', 'ftp://a.example', 'must be an https URL'],
    ['http', 'http://a.example', 'must be an https URL'],
    ['credentials', 'https://ann:pass@a.example', 'must not hold a user name or password'],
    ['a fragment', 'https://a.example/#x', 'must not have a fragment'],
    ['an empty fragment', 'https://a.example/#', 'must not have a fragment'],
    ['too long', `https://a.example/${'x'.repeat(2000)}`, 'must not be greater than 2000 characters'],
    ['localhost', 'https://localhost:8080', 'must not lead to a loopback address'],
    ['below localhost', 'https://a.localhost.', 'must not lead to a loopback address'],
    ['loopback', 'https://127.0.0.1', 'must not lead to a loopback address'],
    ['loopback, short', 'https://127.1', 'must not lead to a loopback address'],
    ['loopback, hexadecimal', 'https://0x7f.1', 'must not lead to a loopback address'],
    ['loopback, a number', 'https://2130706433', 'must not lead to a loopback address'],
    ['metadata', 'https://169.254.169.254/latest', 'must not lead to a link-local address'],
    ['mapped', 'https://[::ffff:7f00:1]/', 'must not lead to a'],
    ['private', 'https://10.0.0.1/', 'must not lead to a private address'],
  ])('422 for %s', async (_, endpoint, words) => {
    for (const field of endpoint === undefined ? ['endpoint'] : ['endpoint', 'url']) {
      const { status, json } = await team.post('/webhooks', { [field]: endpoint })
      expect(status).toBe(422)
      expect(Object.keys(json.errors)).toEqual([field])
      expect(json.message).toContain(words)
    }
  })

  test(`422 for more than ${WEBHOOKS_MAX}, even in parallel`, async () => {
    const full = await api.givenTeam()
    const replies = await Promise.all(
      Array.from({ length: WEBHOOKS_MAX + 5 }, () => full.post('/webhooks', { endpoint: ENDPOINT })),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(WEBHOOKS_MAX)
    expect(replies.find(({ status }) => status === 422)?.json.errors).toEqual({
      endpoint: ['An account must not have more than 50 webhooks.'],
    })
    expect((await full.get('/webhooks')).json.meta.total).toBe(WEBHOOKS_MAX)
  })
})

test('200 with the secret for a single webhook, and without it in the list', async () => {
  const { id, signing_secret } = await create({ description: 'Orders' })
  expect((await team.get(`/webhooks/${id.toUpperCase()}`)).json).toMatchObject({ id, signing_secret })
  const { json } = await team.get('/webhooks')
  expect(json.data[0]).toMatchObject({ id, description: 'Orders' })
  expect(JSON.stringify(json)).not.toContain('whsec_')
})

test('sealed in the database: the secret', async () => {
  const { id, signing_secret } = await create()
  const { sealedSecret } = await rowOf(id)
  expect(sealedSecret.includes(Buffer.from(signing_secret.slice(6), 'base64'))).toBe(false)
  expect(sealedSecret.toString('latin1')).not.toContain(signing_secret.slice(6))
})

describe('PATCH and PUT /webhooks/{id}', () => {
  test('200 with only the given fields changed', async () => {
    const { id, signing_secret, ...before } = await create({ events: ['email.sent'], description: 'A' })
    const changed = await team.patch(`/webhooks/${id}`, { url: `${ENDPOINT}/2`, description: null })
    expect(changed.status).toBe(200)
    const url = `${ENDPOINT}/2`
    const after = { id, ...before, endpoint: url, url, description: null, updated_at: expect.any(String) }
    expect(changed.json).toEqual(after)
    expect((await team.put(`/webhooks/${id}`, { events: null })).json).toEqual({ ...after, events: null })
    expect((await team.get(`/webhooks/${id}`)).json.signing_secret).toBe(signing_secret)
  })

  test('422 as on creation, without changes', async () => {
    const { id } = await create()
    expect(
      (await team.patch(`/webhooks/${id}`, { endpoint: 'https://127.0.0.1' })).json.errors,
    ).toHaveProperty('endpoint')
    expect((await team.patch(`/webhooks/${id}`, { events: ['x'] })).json.errors).toHaveProperty(['events.0'])
    expect((await team.patch(`/webhooks/${id}`, { events: [] })).json.errors).toHaveProperty('events')
    expect((await team.patch(`/webhooks/${id}`, { status: 'on' })).json.errors).toHaveProperty('status')
    expect((await team.get(`/webhooks/${id}`)).json).toMatchObject({ endpoint: ENDPOINT, events: null })
  })

  test('200 when enabled: continues at the end of the feed without old failures, and ends the current lease', async () => {
    const { id } = await create()
    await team.patch(`/webhooks/${id}`, { status: 'disabled' })
    await api.db.query(
      `update webhook
       set disabled_reason = 'It failed for 5 days.', failing_since = now(), probe_at = now(), leased_by = $2,
         leased_until = now() + interval '1 hour'
       where id = $1`,
      [id, newId()],
    )
    expect((await team.get(`/webhooks/${id}`)).json).toMatchObject({
      status: 'disabled',
      disabled_reason: 'It failed for 5 days.',
      disabled_at: expect.any(String),
    })
    await recordEvent()
    const { position } = await rowOf(id)
    expect((await team.patch(`/webhooks/${id}`, { status: 'enabled' })).json).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
    })
    expect((await rowOf(id)).position).toBe(position + 1)
    const rows = await api.db.query('select leased_by, leased_until, probe_at from webhook where id = $1', [
      id,
    ])
    expect(rows).toEqual([{ leasedBy: null, leasedUntil: null, probeAt: null }])
  })

  test('200 when already enabled: the position stays unchanged', async () => {
    const { id } = await create()
    const { position } = await rowOf(id)
    await recordEvent()
    await team.patch(`/webhooks/${id}`, { status: 'enabled' })
    expect((await rowOf(id)).position).toBe(position)
  })
})

describe('POST /webhooks/{id}/rotate-secret', () => {
  test.each(['rotate-secret', 'signing-secret/rotate'])(
    '200 with a new secret by %s; the old one signs on for a day',
    async (path) => {
      const { id, signing_secret } = await create()
      const { status, json } = await team.post(`/webhooks/${id.toUpperCase()}/${path}`)
      expect([status, json.id]).toEqual([200, id])
      expect(json.signing_secret).not.toBe(signing_secret)
      const until = Date.parse(`${json.previous_secret_until.replace(' ', 'T')}Z`)
      expect(until - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
      expect(until - Date.now()).toBeLessThanOrEqual(24 * 3_600_000)
      const opened = openWebhookSecrets(deriveWebhookKey(secret), await rowOf(id), new Date())
      expect(opened.map(formatWebhookSecret)).toEqual([json.signing_secret, signing_secret])
      expect((await team.get(`/webhooks/${id}`)).json.signing_secret).toBe(json.signing_secret)
    },
  )
})

test('200 for DELETE, then 404 for everything', async () => {
  const { id } = await create()
  expect((await team.delete(`/webhooks/${id}`)).json).toEqual({ object: 'webhook', id, deleted: true })
  const path = `/webhooks/${id}`
  const replies = await Promise.all([
    team.get(path),
    team.patch(path, { description: 'x' }),
    team.delete(path),
    team.post(`${path}/test`),
    team.post(`${path}/rotate-secret`),
  ])
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
})

test('403 for a sending key', async () => {
  const key = await team.givenKey({ permission: 'send' })
  expect((await key.get('/webhooks')).status).toBe(403)
})

test('http and private networks are allowed if the installation allows them; other rules still apply', async () => {
  const open = await startApi({
    routes: webhookRoutes,
    deps: { secret, guard: createGuard({ allowPrivate: true }) },
    environment: { SENDWRIGHT_ALLOW_PRIVATE_NETWORKS: 'true' },
  })
  const at = await open.givenTeam()
  const status = async (endpoint: string) => (await at.post('/webhooks', { endpoint })).status
  expect(await status('http://127.0.0.1:8080/hooks')).toBe(201)
  expect(await status('http://localhost/hooks')).toBe(201)
  expect(await status('http://0.0.0.0/')).toBe(422)
  expect(await status('http://a:b@127.0.0.1/')).toBe(422)
  await open.stop()
})
