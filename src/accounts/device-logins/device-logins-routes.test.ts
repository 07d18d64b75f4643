import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { givenBrowser, givenMember, givenUser } from '../../../test/support/browsing.ts'
import type { Browser } from '../../../test/support/people.ts'
import { auditRoutes } from '../../audit/audit-routes.ts'
import { apiKeyRoutes } from '../../keys/api-keys-routes.ts'
import { hashToken } from '../../lib/crypto/random-token.ts'
import { expireAccounts } from '../users/expire-accounts-queries.ts'
import { deviceLoginRoutes } from './device-logins-routes.ts'

const MINUTE_MS = 60_000
const clock = { at: new Date('2026-03-01T12:00:10Z'), now: () => new Date(clock.at) }
const later = (ms: number) => {
  clock.at = new Date(clock.at.getTime() + ms)
}

let api: Api
let teamId: string
beforeAll(async () => {
  api = await startApi({
    routes: [...deviceLoginRoutes, ...apiKeyRoutes, ...auditRoutes],
    deps: { secret: Buffer.alloc(32, 7) },
    clock,
    server: { trustedProxies: [{ address: '127.0.0.1', prefix: 32 }] },
  })
  teamId = (await api.givenTeam()).id
})
afterAll(() => api?.stop())

const program = () => api.as(null)
const nameOf = ({ json: { statusCode, name } }: { json: { statusCode: number; name: string } }) =>
  `${statusCode} ${name}`

interface Started {
  device_code: string
  user_code: string
}

async function start(): Promise<Started> {
  const started = await program().post('/device-logins', { client_name: 'laptop' })
  expect(started.status).toBe(201)
  return started.json
}

/** Polls as a program that waits long enough. */
async function poll({ device_code }: Started) {
  later(2_000)
  return program().post('/device-logins/token', { device_code })
}

const approve = (browser: Browser, user_code: string, more = {}, team = teamId) =>
  browser.inTeam(team)('POST /device-logins/approve', { user_code, ...more })

test('201 with codes, then 400 authorization_pending until an admin confirms, then the key, any number of times', async () => {
  const admin = await givenMember(api, teamId, 'admin')
  const started = await program().post('/device-logins', { client_name: 'laptop' })
  expect(started.json).toEqual({
    object: 'device_login',
    device_code: expect.stringMatching(/^sw_[0-9A-Za-z]{40}$/),
    user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
    verification_uri: 'https://api.test/app/device',
    verification_uri_complete: `https://api.test/app/device#code=${started.json.user_code}`,
    expires_in: 600,
    interval: 2,
  })
  const { device_code: token, user_code } = started.json
  expect(nameOf(await poll(started.json))).toBe('400 authorization_pending')
  expect((await api.as(token).get('/api-keys')).status).toBe(401)

  const seen = await admin.ask('POST /device-logins/inspect', { user_code: user_code.toLowerCase() })
  const expected = { object: 'device_login', user_code, client_name: 'laptop', is_own_network: true }
  expect(seen.json).toMatchObject(expected)
  expect(seen.text).not.toContain(token)
  const approved = await approve(admin, user_code, { name: 'CLI on laptop', permission: 'send' })
  expect(approved.status).toBe(201)
  expect(approved.json).toMatchObject({ object: 'api_key', name: 'CLI on laptop', permission: 'send' })
  expect(approved.text).not.toContain(token)
  expect(nameOf(await approve(admin, user_code))).toBe('404 not_found')

  const { id } = approved.json
  for (const reply of [await poll(started.json), await poll(started.json)]) {
    expect(reply.status).toBe(200)
    expect(reply.json).toMatchObject({ object: 'api_key', id, token, prefix: token.slice(0, 8) })
  }
  const { json } = await admin.inTeam(teamId)('GET /audit?action=api-keys.create')
  expect(json.data[0]).toMatchObject({ actor: { type: 'user', id: admin.id }, target_id: id })
})

test('the person sees that the program is on another network', async () => {
  const admin = await givenMember(api, teamId, 'admin')
  const from = { 'x-forwarded-for': '9.9.9.9' }
  const { user_code } = (await program().post('/device-logins', { client_name: 'laptop' }, from)).json
  const seen = await admin.ask('POST /device-logins/inspect', { user_code })
  expect(seen.json).toMatchObject({ ip_address: '9.9.9.9', is_own_network: false })
})

test('programs log in, one after another, from a network where many others only began to', async () => {
  const owner = await givenMember(api, teamId, 'owner')
  await start()
  await api.db.query('update throttle set tries = 29')
  for (let count = 0; count < 2; count++)
    expect((await approve(owner, (await start()).user_code)).status).toBe(201)
  await api.db.query('delete from throttle')
})

test('the key has full access and the name of the program unless the person chooses otherwise', async () => {
  const owner = await givenMember(api, teamId, 'owner')
  const started = await start()
  const { json } = await approve(owner, started.user_code)
  expect(json).toMatchObject({ name: 'laptop', permission: 'full', domain_id: null, expires_at: null })
  const listed = await api.as((await poll(started)).json.token).get('/api-keys')
  expect(listed.json.data[0]).toMatchObject({ id: json.id })
})

test('the database contains no code of a login, in any of its states', async () => {
  const owner = await givenMember(api, teamId, 'owner')
  const started = await start()
  await approve(owner, started.user_code)
  const waiting = await start()
  const tables = await api.db.query<{ row: string }>(
    `select device_login::text as row from device_login
     union all select api_key::text from api_key
     union all select api_key_hash::text from api_key_hash
     union all select audit::text from audit`,
  )
  const text = tables.map(({ row }) => row).join('\n')
  expect(text).toContain(hashToken(started.device_code).toString('hex'))
  expect(text).not.toContain(started.device_code)
  expect(text).not.toContain(Buffer.from(started.device_code).toString('hex'))
  const plain = waiting.user_code.replace('-', '')
  for (const code of [waiting.user_code, plain, hashToken(plain).toString('hex')])
    expect(text).not.toContain(code)
})

test('403 for roles that may not create keys, 404 for a team of others, and the login stays pending', async () => {
  const started = await start()
  for (const role of ['viewer', 'member'] as const) {
    const person = await givenMember(api, teamId, role)
    expect(nameOf(await approve(person, started.user_code))).toBe('403 forbidden_role')
  }
  const stranger = await givenMember(api, (await api.givenTeam()).id, 'owner')
  expect(nameOf(await approve(stranger, started.user_code))).toBe('404 not_found')
  const { token } = await api.givenTeam()
  const byKey = await api.as(token).post('/device-logins/approve', { user_code: started.user_code })
  expect(nameOf(byKey)).toBe('403 session_required')
  expect(nameOf(await poll(started))).toBe('400 authorization_pending')
})

test('403 for a page of another site that confirms a login in the browser of an owner', async () => {
  const owner = await givenMember(api, teamId, 'owner')
  const started = await start()
  const body = { user_code: started.user_code }
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
  const reply = await owner.inTeam(teamId)('POST /device-logins/approve', body, foreign)
  expect(nameOf(reply)).toBe('403 cross_site_request')
  expect(nameOf(await poll(started))).toBe('400 authorization_pending')
})

test('422 for a key that cannot be created, and the login stays pending', async () => {
  const owner = await givenMember(api, teamId, 'owner')
  const started = await start()
  const past = await approve(owner, started.user_code, { expires_at: '2020-01-01' })
  expect([past.status, Object.keys(past.json.errors)]).toEqual([422, ['expires_at']])
  expect((await approve(owner, started.user_code)).status).toBe(201)
})

test('400 access_denied after any user rejected the login, or revoked its key', async () => {
  const viewer = await givenMember(api, teamId, 'viewer')
  const denied = await start()
  const rejected = await viewer.ask('POST /device-logins/deny', { user_code: denied.user_code })
  expect(rejected.json).toMatchObject({ object: 'device_login', user_code: denied.user_code })
  expect(nameOf(await poll(denied))).toBe('400 access_denied')
  const owner = await givenMember(api, teamId, 'owner')
  expect(nameOf(await approve(owner, denied.user_code))).toBe('404 not_found')

  const started = await start()
  const { id } = (await approve(owner, started.user_code)).json
  await owner.inTeam(teamId)(`DELETE /api-keys/${id}`)
  expect(nameOf(await poll(started))).toBe('400 access_denied')
})

test('only one of many simultaneous confirmations in two processes creates a key', async () => {
  const { url } = await api.another()
  const owner = await givenMember(api, teamId, 'owner')
  const elsewhere = await givenBrowser({ ...api, url }, owner)
  const other = await api.givenTeam()
  const rival = await givenMember(api, other.id, 'owner')
  const { user_code } = await start()
  const replies = await Promise.all([
    approve(owner, user_code),
    approve(elsewhere, user_code),
    approve(rival, user_code, {}, other.id),
    approve(owner, user_code),
  ])
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404])
})

test('400 slow_down for polls in quick succession, also through another process', async () => {
  const { as } = await api.another()
  const started = await start()
  expect(nameOf(await poll(started))).toBe('400 authorization_pending')
  const body = { device_code: started.device_code }
  expect(nameOf(await as(null).post('/device-logins/token', body))).toBe('400 slow_down')
  expect(nameOf(await poll(started))).toBe('400 authorization_pending')
})

test('400 expired_token after ten minutes and for unknown codes; 404 for the code; the row is deleted', async () => {
  const owner = await givenMember(api, teamId, 'owner')
  const started = await start()
  later(10 * MINUTE_MS)
  expect(nameOf(await poll(started))).toBe('400 expired_token')
  expect(nameOf(await approve(owner, started.user_code))).toBe('404 not_found')
  expect(nameOf(await poll({ ...started, device_code: 'sw_unknown' }))).toBe('400 expired_token')
  await expireAccounts(api.db, clock.now(), 1_000)
  expect(await api.db.query('select 1 from device_login')).toEqual([])
})

test('429 for a user and for a network that try codes, existing or not, and for a network that starts many logins', async () => {
  const guesser = await givenBrowser(api, await givenUser(api))
  const { user_code } = await start()
  const statuses = new Set<number>()
  for (let count = 0; count < 25; count++) {
    const code = count % 2 === 0 ? user_code : 'BBBB-BBBB'
    statuses.add((await guesser.ask('POST /device-logins/inspect', { user_code: code })).status)
  }
  expect([...statuses].sort()).toEqual([200, 404, 429])
  const waiting = await guesser.ask('POST /device-logins/inspect', { user_code })
  expect([waiting.status, Number(waiting.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])

  const statusOf = async (person: Browser) =>
    (await person.ask('POST /device-logins/inspect', { user_code: 'BBBB-BBBB' })).status
  let guessed = 404
  for (let users = 0; users < 7 && guessed === 404; users++) {
    const person = await givenBrowser(api, await givenUser(api))
    for (let count = 0; count < 19 && guessed === 404; count++) guessed = await statusOf(person)
  }
  expect(guessed).toBe(429)

  let started = 201
  for (let count = 0; count < 40 && started === 201; count++) {
    started = (await program().post('/device-logins', { client_name: 'laptop' })).status
  }
  expect(started).toBe(429)
})

test('429 while ten thousand logins of any networks are open, until some expire', async () => {
  later(2 * 60 * MINUTE_MS)
  await api.db.query(
    `insert into device_login
       (device_hash, prefix, user_code_hash, client_name, ip_address, created_at, expires_at, status)
     select sha256(n::text::bytea), 'sw_12345', sha256(n::text::bytea), 'flood', '192.0.2.7', $1::timestamptz,
       $1::timestamptz + interval '10 minutes', 'pending'
     from generate_series(1, 10000) as n`,
    [clock.now()],
  )
  const flooded = await program().post('/device-logins', { client_name: 'laptop' })
  expect([nameOf(flooded), flooded.headers.get('retry-after')]).toEqual(['429 rate_limit_exceeded', '60'])
  later(10 * MINUTE_MS)
  await start()
})

test('the name of a program cannot deceive: control characters are escaped, and long names are cut', async () => {
  const person = await givenBrowser(api, await givenUser(api))
  const started = await program().post('/device-logins', { client_name: `\u202e\u0007${'ä'.repeat(250)}` })
  const { user_code } = started.json
  const { client_name } = (await person.ask('POST /device-logins/inspect', { user_code })).json
  expect(client_name).toMatch(/^\\u202e\\x07ä+$/)
  expect(Buffer.byteLength(client_name)).toBeLessThanOrEqual(100)
})
