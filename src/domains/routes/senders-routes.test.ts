import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import type { Tx } from '../../db/db-types.ts'
import { newId } from '../../lib/ids.ts'
import { lockSender } from '../senders-queries.ts'
import { domainRoutes } from './domains-routes.ts'
import { senderRoutes } from './senders-routes.ts'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

let api: Api
let ann: GivenTeam
let bob: GivenTeam
let domainId: string

beforeAll(async () => {
  api = await startApi({
    routes: [...domainRoutes, ...senderRoutes],
    deps: { secret: randomBytes(32) },
  })
  ann = await api.givenTeam()
  bob = await api.givenTeam()
  domainId = await givenDomain(ann, 'ann.example')
})
afterAll(() => api.stop())

async function givenDomain(team: GivenTeam, name: string): Promise<string> {
  return (await team.post('/domains', { name })).json.id
}

let counter = 0

async function givenSender(fields: Record<string, unknown> = {}) {
  const reply = await ann.post('/senders', {
    name: 'Ann',
    username: `ann${++counter}`,
    domain_id: domainId,
    ...fields,
  })
  expect(reply.status).toBe(201)
  return reply.json
}

/** Inserts a template as its route would store it. */
async function insertTemplate(tx: Tx, senderId: string) {
  await tx.query(
    `insert into template (team_id, id, sender_id, name, subject, text_content, status, variables, version,
       created_at, updated_at)
     values ($1, $2, $3, 'T', 'S', 'T', 'draft', '[]', 1, $4, $4)`,
    [ann.id, newId(), senderId, new Date()],
  )
}

test('201 with the sender, its computed email and replies to that address', async () => {
  const reply = await ann.post('/senders', {
    name: 'Acme Support',
    username: 'Support.Team',
    domain_id: domainId.toUpperCase(),
    id: newId(),
    email: 'other@other.example',
  })
  expect(reply.status).toBe(201)
  expect(reply.json).toEqual({
    object: 'sender',
    id: expect.any(String),
    domain_id: domainId,
    name: 'Acme Support',
    username: 'Support.Team',
    email: 'Support.Team@ann.example',
    reply_to: 'Support.Team@ann.example',
    created_at: TIME,
    updated_at: TIME,
  })
  expect((await ann.get(`/senders/${reply.json.id.toUpperCase()}`)).json).toEqual(reply.json)
})

test('201 with reply_to as a bare address, which null removes', async () => {
  const sender = await givenSender({ reply_to: 'Help Desk <help@other.example>' })
  expect(sender.reply_to).toBe('help@other.example')
  const cleared = await ann.patch(`/senders/${sender.id}`, { reply_to: null })
  expect(cleared.json.reply_to).toBe(sender.email)
})

test('201 for an unverified domain', async () => {
  const pending = await givenDomain(ann, 'pending.example')
  await api.db.query(
    `update domain set status = 'pending', captured = false, pending_since = created_at where id = $1`,
    [pending],
  )
  expect((await givenSender({ domain_id: pending })).email).toMatch(/@pending\.example$/)
})

const NO_LOCAL_PART = 'The username field must be a valid local part of an email address.'
const NO_DOMAIN = 'The domain_id field must be the id of a domain of this account.'
test.each([
  [{ name: undefined }, 'name', 'The name field is required.'],
  [{ name: null }, 'name', 'The name field is required.'],
  [{ name: '' }, 'name', 'The name field is required.'],
  [{ name: 7 }, 'name', 'The name field must be a string.'],
  [{ name: '𝒂'.repeat(256) }, 'name', 'The name field must not be greater than 255 characters.'],
  [
    { name: 'a\r\nBcc: x' },
    'name',
    'The name field must not contain line breaks, control characters, angle brackets or wide forms of @.',
  ],
  [
    { name: 'a\u2028b' },
    'name',
    'The name field must not contain line breaks, control characters, angle brackets or wide forms of @.',
  ],
  [{ name: 'a\u0000' }, 'name', 'The name field must not contain the character U+0000.'],
  [{ username: undefined }, 'username', 'The username field is required.'],
  [{ username: 'a'.repeat(65) }, 'username', 'The username field must not be greater than 64 characters.'],
  [{ username: 'é'.repeat(33) }, 'username', NO_LOCAL_PART],
  [{ username: 'a b' }, 'username', NO_LOCAL_PART],
  [{ username: '.a' }, 'username', NO_LOCAL_PART],
  [{ username: 'a@b.example' }, 'username', NO_LOCAL_PART],
  [{ username: '"a b"' }, 'username', NO_LOCAL_PART],
  [{ domain_id: undefined }, 'domain_id', 'The domain_id field is required.'],
  [{ domain_id: 'no-id' }, 'domain_id', 'The domain_id field must be a valid UUID.'],
  [{ domain_id: newId() }, 'domain_id', NO_DOMAIN],
  [{ reply_to: 'nobody' }, 'reply_to', 'The reply_to field must be a valid email address.'],
  [
    { reply_to: `${'a'.repeat(250)}@x.example` },
    'reply_to',
    'The reply_to field must not be greater than 255 characters.',
  ],
])('422 for %j, and nothing is stored', async (fields, field, message) => {
  const before = (await ann.get('/senders')).json.meta.total
  const reply = await ann.post('/senders', { name: 'A', username: 'a', domain_id: domainId, ...fields })
  expect(reply.status).toBe(422)
  expect(reply.json).toEqual({
    statusCode: 422,
    name: 'validation_error',
    message,
    errors: { [field]: [message] },
  })
  expect((await ann.get('/senders')).json.meta.total).toBe(before)
})

test('201 for a name of 255 characters beyond the Basic Multilingual Plane', async () => {
  expect((await givenSender({ name: '𝒂'.repeat(255) })).name).toBe('𝒂'.repeat(255))
})

test('409 for the same username in another case, also after a change; another domain may have it', async () => {
  await givenSender({ username: 'sales' })
  const reply = await ann.post('/senders', { name: 'A', username: 'SALES', domain_id: domainId })
  expect(reply.status).toBe(409)
  expect(reply.json).toMatchObject({
    name: 'conflict',
    message: 'A sender with this username already exists in this domain.',
  })
  const other = await givenSender()
  expect((await ann.patch(`/senders/${other.id}`, { username: 'Sales' })).status).toBe(409)
  const elsewhere = await givenDomain(ann, 'elsewhere.example')
  expect((await givenSender({ username: 'sales', domain_id: elsewhere })).email).toBe(
    'sales@elsewhere.example',
  )
})

test('409 for all but one of many requests that create the same sender at once', async () => {
  const replies = await Promise.all(
    Array.from({ length: 8 }, () =>
      ann.post('/senders', { name: 'A', username: 'racer', domain_id: domainId }),
    ),
  )
  expect(replies.map((reply) => reply.status).sort()).toEqual([201, ...Array(7).fill(409)])
})

test('200 for both PUT and PATCH: only given fields change', async () => {
  const { id, email } = await givenSender({ reply_to: 'r@x.example' })
  expect((await ann.put(`/senders/${id}`, { name: 'New' })).json).toMatchObject({
    name: 'New',
    email,
    reply_to: 'r@x.example',
  })
  const changed = await ann.patch(`/senders/${id}`, { username: 'renamed' })
  expect(changed.json).toMatchObject({ name: 'New', email: 'renamed@ann.example' })
  expect((await ann.get(`/senders/${id}`)).json).toEqual(changed.json)
  expect((await ann.patch(`/senders/${id}`, { name: null })).json).toMatchObject({
    name: 'New',
    email: 'renamed@ann.example',
  })
  expect((await ann.patch(`/senders/${id}`, { name: '' })).status).toBe(422)
  expect((await ann.patch(`/senders/${id}`, { domain_id: newId() })).json.message).toBe(NO_DOMAIN)
})

test('200 for DELETE, then 404 for everything', async () => {
  const { id } = await givenSender()
  const reply = await ann.delete(`/senders/${id.toUpperCase()}`)
  expect(reply.status).toBe(200)
  expect(reply.json).toEqual({ object: 'sender', id, deleted: true })
  expect((await ann.get(`/senders/${id}`)).status).toBe(404)
  expect((await ann.patch(`/senders/${id}`, { name: 'x' })).status).toBe(404)
  expect((await ann.delete(`/senders/${id}`)).status).toBe(404)
})

test('409 for DELETE while a template uses it', async () => {
  const { id } = await givenSender()
  await api.db.transaction((tx) => insertTemplate(tx, id))
  const reply = await ann.delete(`/senders/${id}`)
  expect(reply.status).toBe(409)
  expect(reply.json).toEqual({
    statusCode: 409,
    name: 'conflict',
    message: 'This sender is used by templates and cannot be deleted.',
  })
  expect((await ann.get(`/senders/${id}`)).status).toBe(200)
})

test('409 for DELETE during the creation of a template, which keeps its sender', async () => {
  const { id } = await givenSender()
  let deleting: ReturnType<GivenTeam['delete']> | undefined
  await api.db.transaction(async (tx) => {
    expect(await lockSender(tx, ann.id, id)).not.toBeNull()
    deleting = ann.delete(`/senders/${id}`)
    // Wait until the deletion waits for this transaction.
    for (let waiting = 0; waiting === 0; ) {
      const rows = await api.db.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      waiting = rows.length
    }
    await insertTemplate(tx, id)
  })
  expect((await deleting)?.status).toBe(409)
})

test('409 for DELETE of a domain with senders, then 200 without them', async () => {
  const used = await givenDomain(ann, 'used.example')
  const { id } = await givenSender({ domain_id: used })
  const reply = await ann.delete(`/domains/${used}`)
  expect(reply.status).toBe(409)
  expect(reply.json.message).toBe('This domain is used by senders and cannot be deleted.')
  await ann.delete(`/senders/${id}`)
  expect((await ann.delete(`/domains/${used}`)).status).toBe(200)
})

test('a sender created while its domain is deleted has a domain, or is rejected', async () => {
  for (let round = 0; round < 8; round++) {
    const racing = await givenDomain(ann, `racing${round}.example`)
    const [created, deleted] = await Promise.all([
      ann.post('/senders', { name: 'A', username: 'a', domain_id: racing }),
      ann.delete(`/domains/${racing}`),
    ])
    expect([`${created.status} ${deleted.status}`]).toContainEqual(
      expect.stringMatching(/^(201 409|422 200)$/),
    )
  }
})

test('404, byte for byte the same, for another team’s sender and an unknown one; it stays unchanged', async () => {
  const { id } = await givenSender()
  const before = (await ann.get(`/senders/${id}`)).text
  for (const ask of [
    (wanted: string) => bob.get(`/senders/${wanted}`),
    (wanted: string) => bob.patch(`/senders/${wanted}`, { name: 'x' }),
    (wanted: string) => bob.put(`/senders/${wanted}`, { name: 'x' }),
    (wanted: string) => bob.delete(`/senders/${wanted}`),
  ]) {
    const [foreign, none, malformed] = [await ask(id), await ask(newId()), await ask('no-id')]
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe(none.text)
    expect(malformed.text).toBe(none.text)
  }
  expect((await ann.get(`/senders/${id}`)).text).toBe(before)
  const body = { name: 'x', username: 'x' }
  const foreign = await bob.post('/senders', { ...body, domain_id: domainId })
  const none = await bob.post('/senders', { ...body, domain_id: newId() })
  expect([foreign.status, foreign.text]).toEqual([422, none.text])
  expect((await bob.get('/senders')).json.data).toEqual([])
})

test('403 for a sending key', async () => {
  const key = await ann.givenKey({ permission: 'send' })
  expect((await key.get('/senders')).status).toBe(403)
})

test('200 with pages of senders, newest first', async () => {
  const team = await api.givenTeam()
  const ownDomain = await givenDomain(team, 'pages.example')
  for (const username of ['one', 'two', 'three']) {
    await team.post('/senders', { name: 'N', username, domain_id: ownDomain })
  }
  const first = (await team.get('/senders?per_page=2')).json
  expect(first.data.map((sender: { username: string }) => sender.username)).toEqual(['three', 'two'])
  expect(first).toMatchObject({ object: 'list', has_more: true, meta: { total: 3, last_page: 2 } })
  const rest = (await team.get(`/senders?limit=2&after=${first.data[1].id}`)).json
  expect(rest.data.map((sender: { username: string }) => sender.username)).toEqual(['one'])
})
