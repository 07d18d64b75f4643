import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { givenMember } from '../../../test/support/browsing.ts'
import type { Role } from '../../access/roles.ts'
import { auditRoutes } from '../../audit/audit-routes.ts'
import { createGuard } from '../../lib/net/egress-guard.ts'
import { teamMemberRoutes } from '../people/team-members-routes.ts'
import { notificationRoutes } from './notifications-routes.ts'

const URL_OF_HOOK = 'https://hooks.example.com/alerts'
let api: Api
let now = new Date('2026-01-31T12:00:00Z')

beforeAll(async () => {
  api = await startApi({
    routes: [...notificationRoutes, ...teamMemberRoutes, ...auditRoutes],
    clock: { now: () => now },
    deps: { secret: Buffer.alloc(32, 7), guard: createGuard({ allowPrivate: false }) },
  })
})
afterAll(() => api.stop())

async function givenAsk(role: Role, teamId?: string) {
  const id = teamId ?? (await api.givenTeam()).id
  const person = await givenMember(api, id, role)
  return { id, userId: person.id, ask: person.inTeam(id) }
}

test('200 with alerts off by default, and no webhook', async () => {
  const { ask } = await givenAsk('viewer')
  const { status, json } = await ask('GET /team/notifications')
  expect(status).toBe(200)
  expect(json).toMatchObject({
    object: 'notifications',
    email: { enabled: false, every_minutes: 15 },
    webhook: null,
    recent: [],
  })
  expect(json.email.kinds).toContain('domain_failing')
  expect(json.email.kinds).not.toContain('site_paused')
})

test('200 for a viewer who changes the own settings, which another member does not get', async () => {
  const viewer = await givenAsk('viewer')
  const owner = await givenAsk('owner', viewer.id)
  const change = { enabled: true, kinds: ['quota_day', 'quota_day'], every_minutes: 60 }
  const { status, json } = await viewer.ask('PATCH /team/notifications', change)
  expect(status).toBe(200)
  expect(json.email).toEqual({ enabled: true, kinds: ['quota_day'], every_minutes: 60 })
  expect((await viewer.ask('PATCH /team/notifications', { every_minutes: 5 })).json.email).toEqual({
    ...json.email,
    every_minutes: 5,
  })
  expect((await owner.ask('GET /team/notifications')).json.email.enabled).toBe(false)
  const { json: audit } = await owner.ask('GET /audit')
  expect(audit.data[0]).toMatchObject({ action: 'team.notifications.update', fields: ['every_minutes'] })
})

test('422 for an unknown kind and for more than a day between emails', async () => {
  const { ask } = await givenAsk('owner')
  for (const change of [{ kinds: ['nothing'] }, { every_minutes: 0 }, { every_minutes: 1441 }]) {
    expect((await ask('PATCH /team/notifications', change)).status).toBe(422)
  }
})

test('200 for an admin who sets the webhook; members see neither its URL nor its secret', async () => {
  const admin = await givenAsk('admin')
  const member = await givenAsk('member', admin.id)
  const { status, json } = await admin.ask('PUT /team/alert-webhook', { url: URL_OF_HOOK })
  expect(status).toBe(200)
  expect(json.webhook).toMatchObject({ url: URL_OF_HOOK, signing_secret: expect.stringMatching(/^whsec_/) })
  const again = await admin.ask('PUT /team/alert-webhook', { url: `${URL_OF_HOOK}2`, kinds: ['quota_day'] })
  expect(again.json.webhook).toMatchObject({
    kinds: ['quota_day'],
    signing_secret: json.webhook.signing_secret,
  })
  expect((await member.ask('GET /team/notifications')).json.webhook).toBeNull()
  expect((await member.ask('PUT /team/alert-webhook', { url: URL_OF_HOOK })).status).toBe(403)
  expect((await member.ask('DELETE /team/alert-webhook')).status).toBe(403)
  expect((await member.ask('POST /team/notifications/test', { channel: 'webhook' })).status).toBe(403)
  expect((await admin.ask('DELETE /team/alert-webhook')).status).toBe(200)
  expect((await admin.ask('DELETE /team/alert-webhook')).status).toBe(404)
  expect((await admin.ask('GET /team/notifications')).json.webhook).toBeNull()
})

test('422 for a webhook that leads to a private address, is not https, or has a login', async () => {
  const { ask } = await givenAsk('owner')
  const urls = ['https://127.0.0.1/', 'https://169.254.169.254/', 'https://[::1]/', 'https://localhost/']
  for (const url of [...urls, 'http://a.example/', 'https://u:p@a.example/', 'https://a.example/\r\nx']) {
    const { status, json } = await ask('PUT /team/alert-webhook', { url })
    expect([url, status, Object.keys(json.errors ?? {})]).toEqual([url, 422, ['url']])
  }
})

test('202 for a test, 409 for a second one within a minute, and 404 for a webhook that is not set', async () => {
  const { ask } = await givenAsk('owner')
  const first = await ask('POST /team/notifications/test', { channel: 'email' })
  expect(first.status).toBe(202)
  expect(first.json).toMatchObject({ channel: 'email', reason: 'test', status: 'waiting', alert_count: 1 })
  expect((await ask('POST /team/notifications/test', { channel: 'email' })).status).toBe(409)
  now = new Date(now.getTime() + 60_000)
  expect((await ask('POST /team/notifications/test', { channel: 'email' })).status).toBe(202)
  expect((await ask('POST /team/notifications/test', { channel: 'webhook' })).status).toBe(404)
  const { recent, email } = (await ask('GET /team/notifications')).json
  expect([recent.length, email.enabled]).toEqual([2, false])
})

test('200 when a member is removed: the settings and messages go with the person', async () => {
  const owner = await givenAsk('owner')
  const viewer = await givenAsk('viewer', owner.id)
  await viewer.ask('PATCH /team/notifications', { enabled: true })
  await viewer.ask('POST /team/notifications/test', { channel: 'email' })
  expect((await owner.ask(`DELETE /team/members/${viewer.userId}`)).status).toBe(200)
  for (const [table, column] of [
    ['alert_channel', 'id'],
    ['alert_message', 'channel_id'],
    ['alert_told', 'channel_id'],
  ]) {
    const rows = await api.db.query(`select 1 from ${table} where ${column} = $1`, [viewer.userId])
    expect([table, rows]).toEqual([table, []])
  }
})
