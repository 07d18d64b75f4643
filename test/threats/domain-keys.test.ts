import { beforeAll, expect, test } from 'vitest'
import { API_ROUTES } from '../../src/app/routes.ts'
import { recordEvents } from '../../src/events/record-queries.ts'
import { newId } from '../../src/lib/ids.ts'
import { type ApiReply, made, type Requester } from '../support/client.ts'
import { allAtRest, bareAnswer, rowsOf } from '../support/foreign.ts'
import { inLanes } from '../support/lanes.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'
import { verifyDomain } from '../support/teams.ts'
import { makeWorld, type World, withOwnIds } from '../support/world.ts'

/**
 * A key that is bound to one domain of a team sees and changes no email of the team's other domains. The tests walk the
 * table of routes and the tools, so that a new one is covered from the start.
 */
let service: SharedSendwright
/** Has all rights. Its domain is the other one. */
let ann: Sender
/** Bound to a second domain of the same team, which has sent nothing. */
let bound: Requester
let secondId: string
let world: World
/** Emails of the other domain: a scheduled one, and one that capture mode has received. */
let scheduled: string
let sent: string

/** Stands in every part of an email that only its readers may know. */
const MARK = 'top-secret'
const RECIPIENT = `${MARK}@receiver.test`

beforeAll(async () => {
  service = await shareSendwright('capture')
  ann = await service.givenSender()
  world = await makeWorld(ann, service.url)
  secondId = await verifyDomain(ann, 'second-domain.test', service.dns)
  bound = await ann.givenKey({ domainId: secondId })
  const secret = {
    from: `${MARK} <ann@${ann.domain}>`,
    to: RECIPIENT,
    bcc: [`hidden-${MARK}@receiver.test`],
    subject: MARK,
    html: `<p><a href="https://shop.example/${MARK}">Reset</a></p>`,
    text: MARK,
    headers: { 'X-Mark': MARK },
    tags: [{ name: 'mark', value: MARK }],
    attachments: [{ filename: `${MARK}.txt`, content: 'SGk=' }],
  }
  scheduled = await ann.send({ ...secret, scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
  sent = await ann.send(secret)
  await ann.settled(sent)
  world.captured = (await ann.get('/captured')).json.data[0].id
  const longAgo = new Date(Date.now() - 86_400_000)
  // Nothing delivers to webhooks here: the webhook is moved past the events, and a replay creates their deliveries.
  await service.db.query(
    'update webhook w set position = f.position from event_feed f where w.id = $1 and f.team_id = w.team_id',
    [world.webhooks],
  )
  const replayed = await ann.post(`/webhooks/${world.webhooks}/replay`, { since: longAgo.toISOString() })
  expect(replayed.status, replayed.text).toBe(202)
  const [delivery] = await service.db.query<{ id: string }>(
    "select id from webhook_delivery where subject_id = $1 and type = 'email.delivered'",
    [sent],
  )
  world['webhook-deliveries'] = delivery?.id ?? ''
  // An email that has waited for long is named among the alerts, and one that reached a server is proof of going live.
  await service.db.query("update email set created_at = $2, status = 'queued' where id = $1", [sent, longAgo])
  await service.db.query("update delivery set mx_host = 'mx.receiver.test' where email_id = $1", [sent])
})

const ROUTES = API_ROUTES.filter(({ permission }) => permission === 'full' || permission === 'send')
const PARAMETER = /:(\w+)/g
const namesIn = (path: string) => [...path.matchAll(PARAMETER)].map((match) => match[1] as string)
const NUMBERS: Readonly<Record<string, string>> = { version: '1', index: '0' }
const SINGULAR: Readonly<Record<string, string>> = {
  listId: 'lists',
  segmentId: 'segments',
  deliveryId: 'webhook-deliveries',
  eventId: 'webhook-deliveries',
}

/** Returns the path with the team's own ids, except for the parameter `name`. */
function fill(path: string, name: string | null, id: string): string {
  const kind = path.slice(1).split('/:')[0] as string
  return path.replace(PARAMETER, (_, parameter: string) =>
    parameter === name ? id : (NUMBERS[parameter] ?? world[SINGULAR[parameter] ?? kind] ?? newId()),
  )
}

type Method = (typeof API_ROUTES)[number]['method']

async function call(client: Requester, method: Method, path: string, body?: unknown): Promise<ApiReply> {
  if (method === 'GET') return client.get(path)
  if (method === 'DELETE') return client.delete(path)
  if (method === 'PUT') return client.put(path, body)
  return method === 'PATCH' ? client.patch(path, body) : client.post(path, body)
}

test('every parameter of every route answers to an email of another domain as to an unknown id; nothing changes', async () => {
  await allAtRest(service.db)
  const before = await rowsOf(service.db, ann.id)
  let count = 0
  for (const { method, path, body } of ROUTES) {
    const examples = (body as { examples?: unknown[] } | undefined)?.examples
    const given = body === undefined ? undefined : withOwnIds(examples?.[0] ?? {}, world)
    const isOfEmails = /^\/(emails|captured|webhooks)\//.test(path)
    const ids = isOfEmails ? [scheduled, sent, world.captured, world['webhook-deliveries']] : [scheduled]
    for (const name of namesIn(path).filter((each) => each !== 'version')) {
      const [unknown, place] = [newId(), `${method} ${path} ${name}`]
      const ask = (id: string) => call(bound, method, fill(path, name, id), given)
      const expected = bareAnswer(await ask(unknown), unknown)
      await inLanes(ids as string[], async (id) => {
        const reply = await ask(id)
        expect([403, 404], place).toContain(reply.status)
        expect(bareAnswer(reply, id), place).toEqual(expected)
        count++
      })
    }
  }
  expect(count).toBeGreaterThan(150)
  expect(await rowsOf(service.db, ann.id)).toEqual(before)
})

test('404 for every route of emails, which exist for a key without a domain', async () => {
  const paths = ROUTES.filter(({ path }) => path.startsWith('/emails/:id'))
  expect(paths.length).toBeGreaterThan(8)
  for (const { method, path } of paths) {
    const at = fill(path, 'id', scheduled)
    const given = method === 'POST' ? {} : { scheduled_at: new Date(Date.now() + 7_200_000).toISOString() }
    expect((await call(bound, method, at, given)).status, `${method} ${path}`).toBe(404)
    if (method === 'GET') expect((await ann.get(at)).status, path).toBe(200)
  }
})

test('no list, feed or export shows anything of an email of another domain', async () => {
  const shown: string[] = []
  for (const { path } of ROUTES.filter(({ method }) => method === 'GET')) {
    const name = namesIn(path)[0] ?? null
    const ids = [
      RECIPIENT,
      scheduled,
      sent,
      ...(name === null ? [] : [fill(`${path}/`, null, '').split('/')[2] ?? '']),
    ]
    for (const id of name === null ? [''] : ids) {
      const at = fill(path, name, encodeURIComponent(id))
      if ((await ann.get(at)).text.includes(MARK)) shown.push(path)
      const { text } = await bound.get(at)
      expect(text, at).not.toContain(MARK)
    }
  }
  // What a key without a domain sees proves that the requests reach the emails.
  expect([...new Set(shown)].sort()).toEqual(SHOWING)
})

test('the tools answer to an email of another domain as to an unknown id, and show nothing of it', async () => {
  const rpc = (client: Requester, method: string, params: object = {}) =>
    client.post('/mcp', { jsonrpc: '2.0', id: 1, method, params })
  const useTool = async (client: Requester, name: string, args: object) => {
    const { json } = await rpc(client, 'tools/call', { name, arguments: args })
    const { _meta, ...result } = json.result
    return JSON.stringify(result)
  }
  const { tools } = (await rpc(bound, 'tools/list')).json.result
  const showing: string[] = []
  let count = 0
  for (const { name, inputSchema } of tools) {
    const { required = [], properties } = inputSchema
    const more = properties.confirm === undefined ? {} : { confirm: true }
    if (required.length === 0) {
      if ((await useTool(ann, name, more)).includes(MARK)) showing.push(name)
      expect(await useTool(bound, name, more), name).not.toContain(MARK)
    }
    if (properties.id === undefined) continue
    for (const id of [scheduled, sent]) {
      const unknown = newId()
      const [of, other] = [
        await useTool(bound, name, { ...more, id }),
        await useTool(bound, name, { ...more, id: unknown }),
      ]
      expect(of, name).toContain('"isError":true')
      expect(of.replaceAll(id, '*'), name).toBe(other.replaceAll(unknown, '*'))
      count++
    }
  }
  expect([showing.sort(), count]).toEqual([
    ['list_alerts', 'list_captured_emails', 'list_emails'],
    expect.any(Number),
  ])
  expect(count).toBeGreaterThan(10)
  expect((await ann.get(`/emails/${scheduled}`)).json.status).toBe('scheduled')
})

test('filters and searches of lists find no email of another domain, and all of its own', async () => {
  const own = await bound.post('/emails', { ...ann.email(), from: 'ann@second-domain.test' })
  expect(own.status).toBe(202)
  const idsOf = async (client: Requester, query: string) =>
    (await client.get(`/emails?${query}`)).json.data.map(({ id }: { id: string }) => id)
  const unknown = await bound.get(`/emails?domain_id=${newId()}`)
  expect(bareAnswer(await bound.get(`/emails?domain_id=${ann.domainId}`), ann.domainId)).toEqual(
    bareAnswer(unknown, new URL(unknown.json.links.first).searchParams.get('domain_id') ?? ''),
  )
  for (const query of [
    `search=${sent}`,
    `search=${MARK}`,
    `to=${RECIPIENT}`,
    `tag=mark:${MARK}`,
    `q=${MARK}`,
  ]) {
    expect(await idsOf(ann, query), query).toContain(sent)
    expect(await idsOf(bound, query), query).toEqual([])
  }
  expect(await idsOf(bound, 'per_page=100')).toEqual([own.json.id])
  expect(await idsOf(bound, `domain_id=${secondId}`)).toEqual([own.json.id])
  expect((await bound.get('/emails')).json.meta.total).toBe(1)
  const feed = async (query: string) => (await bound.get(`/events?${query}`)).json
  const all = await feed('limit=1000')
  const ofEmails = all.data.filter(({ type }: { type: string }) => type.startsWith('email.'))
  expect(new Set(ofEmails.map(({ data }: { data: { email_id: string } }) => data.email_id))).toEqual(
    new Set([own.json.id]),
  )
  expect(all.data.length).toBeGreaterThan(ofEmails.length)
  // Pages of one event each reach all of them.
  const seen: unknown[] = []
  for (let page = await feed('limit=1'); ; page = await feed(`limit=1&after=${page.next_cursor}`)) {
    seen.push(...page.data)
    if (!page.has_more) break
  }
  expect(seen).toEqual(all.data)
  const ofSent = await feed(`email_id=${sent}&limit=1`)
  expect(ofSent).toEqual(await feed(`email_id=${newId()}&limit=1`))
  expect((await bound.delete('/captured')).json.count).toBeLessThanOrEqual(1)
  expect((await ann.get(`/captured/${world.captured}`)).status).toBe(200)
})

test('a stream of events omits other emails, and ends when the key is bound to another domain', async () => {
  const key = await ann.givenKey({ domainId: secondId })
  const headers = { authorization: `Bearer ${key.token}`, accept: 'text/event-stream' }
  const stream = await fetch(`${service.url}/events`, { headers })
  await ann.patch(`/api-keys/${key.keyId}`, { domain_id: ann.domainId })
  // Without the check, the stream would not end before the limit of the test.
  const text = await stream.text()
  expect(text).toContain('event: domain.verified')
  expect(text).not.toContain(MARK)
})

test('a key bound to a domain has neither webhooks nor the data of persons, whatever the id', async () => {
  for (const path of ['/webhooks', `/webhooks/${world.webhooks}`, `/erasures/${world.erasures}`]) {
    expect((await bound.get(path)).json.name, path).toBe('restricted_api_key')
  }
  const added = await bound.post('/webhooks', { endpoint: 'https://shop.example/hooks' })
  expect([added.status, added.json.name]).toEqual([403, 'restricted_api_key'])
})

test('a key bound to a domain does not change how long the emails of all domains are stored', async () => {
  const kept = (await ann.get('/retention')).json
  const changed = await bound.patch('/retention', { content: '1d' })
  expect([changed.status, changed.json.name]).toEqual([403, 'restricted_api_key'])
  expect((await bound.get('/retention')).json.name).toBe('restricted_api_key')
  expect((await ann.get('/retention')).json).toEqual(kept)
})

test('a key bound to a domain reads neither the audit log nor the requests of other keys', async () => {
  expect((await bound.get('/audit')).json.name).toBe('restricted_api_key')
  const read = await ann.get(`/emails/${sent}`)
  const refused = await bound.get(`/emails/${sent}`)
  const [others, own] = [read, refused].map(({ headers }) => headers.get('x-request-id') as string)
  await expect.poll(async () => (await ann.get(`/logs/${others}`)).status, { timeout: 60_000 }).toBe(200)
  await expect.poll(async () => (await bound.get(`/logs/${own}`)).status, { timeout: 60_000 }).toBe(200)
  const unknown = newId()
  expect(bareAnswer(await bound.get(`/logs/${others}`), others as string)).toEqual(
    bareAnswer(await bound.get(`/logs/${unknown}`), unknown),
  )
  const { api_key: boundKey } = (await bound.get(`/logs/${own}`)).json
  const { data, meta } = (await bound.get('/logs?per_page=100')).json
  expect(data.map(({ api_key }: { api_key: unknown }) => api_key)).toContainEqual(boundKey)
  expect(new Set(data.map(({ api_key }: { api_key: { id: string } }) => api_key.id))).toEqual(
    new Set([boundKey.id]),
  )
  expect(meta.total).toBeLessThan((await ann.get('/logs')).json.meta.total)
  const { api_key: key } = (await ann.get(`/logs/${others}`)).json
  for (const query of [`api_key_id=${key.id}`, `request_id=${others}`]) {
    expect((await bound.get(`/logs?${query}`)).json.data, query).toEqual([])
    expect((await ann.get(`/logs?${query}`)).json.data, query).not.toEqual([])
  }
})

test('a key bound to a domain sends from no other one by campaigns, broadcasts and automations, and reads none of them', async () => {
  for (const path of [
    '/campaigns',
    '/broadcasts',
    '/automations',
    `/campaigns/${world.campaigns}/recipients`,
  ])
    expect((await bound.get(path)).json.name, path).toBe('restricted_api_key')
  const mail = { segment_id: world.segments, from: `ceo@${ann.domain}`, subject: 'x', text: 'x', send: true }
  for (const [path, body] of [
    ['/broadcasts', mail],
    ['/campaigns', { name: 'x' }],
    ['/automations', { name: 'x' }],
  ] as const)
    expect((await bound.post(path, body)).json.name, path).toBe('restricted_api_key')
})

test('a key bound to a domain neither revokes keys that may do more, nor changes other domains', async () => {
  const { keyId, token } = await ann.givenKey({})
  const revoked = await bound.delete(`/api-keys/${keyId}`)
  expect([revoked.status, revoked.json.name]).toEqual([403, 'restricted_api_key'])
  expect((await ann.get(`/api-keys/${keyId}`)).json.status).toBe('active')
  expect(token).not.toBe('')
  expect((await bound.delete(`/domains/${ann.domainId}`)).status).toBe(403)
  expect((await bound.patch(`/domains/${ann.domainId}`, { click_tracking: true })).status).toBe(403)
  expect((await bound.post(`/domains/${ann.domainId}/verify`)).status).toBe(403)
  expect((await bound.post('/domains', { name: 'third-domain.test' })).status).toBe(403)
  expect((await ann.get(`/domains/${ann.domainId}`)).status).toBe(200)
  // Its own domain, and keys that may do no more than it, are its own affair.
  expect((await bound.patch(`/domains/${secondId}`, { click_tracking: false })).status).toBe(200)
  const own = await ann.givenKey({ domainId: secondId })
  expect((await bound.delete(`/api-keys/${own.keyId}`)).status).toBe(200)
})

test('neither alerts nor events show a key that is bound to a domain the address of a webhook', async () => {
  const endpoint = 'https://disabled.example/hooks'
  const id = await made(ann, '/webhooks', { endpoint })
  const reason = 'It failed for 5 days.'
  await service.db.query(
    "update webhook set status = 'disabled', disabled_reason = $2, disabled_at = now() where id = $1",
    [id, reason],
  )
  const event = { teamId: ann.id, subjectId: id, type: 'webhook.disabled' as const }
  await service.db.transaction(async (tx) =>
    recordEvents(tx, [{ ...event, data: { id, endpoint, reason } }], new Date()),
  )
  for (const path of ['/attention', '/summary', '/events?limit=1000', `/events?subject_id=${id}`]) {
    expect((await ann.get(path)).text, path).toContain(endpoint)
    const { status, text } = await bound.get(path)
    expect(status, path).toBe(200)
    expect(text, path).not.toContain(endpoint)
  }
})

/** The routes with which a key without a domain sees something of the email. */
const SHOWING = [
  '/attention',
  '/captured',
  '/captured/:id',
  '/contacts/:id/export',
  '/emails',
  '/emails/:id',
  '/emails/:id/attachments',
  '/emails/:id/attempts',
  '/emails/:id/raw',
  '/events',
  '/go-live',
  '/summary',
  '/webhooks/:id/deliveries/:deliveryId',
  '/webhooks/:id/events/:eventId',
]
