import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { givenMember } from '../../../test/support/browsing.ts'
import type { Role } from '../../access/roles.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { createGuard } from '../../lib/net/egress-guard.ts'
import type { Line } from '../../webhooks/request/post.ts'
import { teamMemberRoutes } from '../people/team-members-routes.ts'
import { notificationRoutes } from './notifications-routes.ts'
import { sendMessages } from './send-messages.ts'
import { watchAlerts } from './watch-alerts.ts'

const SECRET = Buffer.alloc(32, 7)
const MINUTE_MS = 60_000
const LIMITS = { bounceRate: null, complaintRate: null, recipientsMin: 100 }
let api: Api
let now = new Date('2026-01-31T12:00:00Z')
const clock = { now: () => now }
const passMinutes = (minutes: number) => {
  now = new Date(now.getTime() + minutes * MINUTE_MS)
}

beforeAll(async () => {
  api = await startApi({
    routes: [...notificationRoutes, ...teamMemberRoutes],
    clock,
    deps: { secret: SECRET, guard: createGuard({ allowPrivate: false }) },
  })
})
afterAll(() => api.stop())

const watch = () => watchAlerts({ db: api.db, clock, log: createLog('silent'), limits: LIMITS }, 100)

interface Row {
  reason: string
  status: string
  attempts: number
  error: string | null
  content: { items: { state: string; kind: string; name: string | null }[]; more: number }
}

async function messagesOf(teamId: string): Promise<Row[]> {
  return api.db.query<Row>(
    'select reason, status, attempts, error, content from alert_message where team_id = $1 order by id',
    [teamId],
  )
}

const statesOf = (rows: readonly Row[]) =>
  rows.map(({ reason, content }) => [reason, ...content.items.map(({ state, kind }) => `${state} ${kind}`)])

async function givenTeam() {
  const { id } = await api.givenTeam()
  const add = async (role: Role) => {
    const person = await givenMember(api, id, role)
    return { id: person.id, ask: person.inTeam(id) }
  }
  return { id, add }
}

async function givenDomain(teamId: string, name: string): Promise<string> {
  const id = newId()
  await api.db.query(
    `insert into domain (team_id, id, name, status, captured, tls, open_tracking, click_tracking, checks,
       return_path_verified, reason, failed_days, created_at, updated_at)
     values ($1, $2, $3, 'failed', false, 'opportunistic', false, false, '{}', false, 'No record.', 7, $4, $4)`,
    [teamId, id, name, now],
  )
  return id
}

const repair = (teamId: string) => api.db.query('delete from domain where team_id = $1', [teamId])

test('alerts from before are in one summary, later ones in one message, by several processes at the same time', async () => {
  const team = await givenTeam()
  const { ask } = await team.add('viewer')
  const inAll = () => Promise.all(Array.from({ length: 8 }, watch))
  await givenDomain(team.id, 'before.test')
  await inAll()
  expect(await messagesOf(team.id)).toEqual([])
  await ask('PATCH /team/notifications', { enabled: true, every_minutes: 1 })
  await inAll()
  expect(statesOf(await messagesOf(team.id))).toEqual([['summary', 'open domain_failing']])
  await givenDomain(team.id, 'one.test')
  await givenDomain(team.id, 'two.test')
  passMinutes(1)
  await inAll()
  passMinutes(1)
  await inAll()
  expect(statesOf(await messagesOf(team.id)).slice(1)).toEqual([
    ['change', 'begun domain_failing', 'begun domain_failing'],
  ])
  await repair(team.id)
  for (let minute = 0; minute < 12; minute++) {
    passMinutes(1)
    await inAll()
  }
  const [, , ended, ...others] = statesOf(await messagesOf(team.id))
  expect(ended).toEqual(['change', ...Array(3).fill('ended domain_failing')])
  expect(others).toEqual([])
})

test('no message about API keys for a viewer, and one for an admin', async () => {
  const team = await givenTeam()
  const [viewer, admin] = [await team.add('viewer'), await team.add('admin')]
  for (const { ask } of [viewer, admin]) await ask('PATCH /team/notifications', { enabled: true })
  await api.db.query('update api_key set expires_at = $2 where team_id = $1', [
    team.id,
    new Date(now.getTime() + 3_600_000),
  ])
  await watch()
  const rows = await api.db.query('select channel_id from alert_message where team_id = $1', [team.id])
  expect(rows).toEqual([{ channelId: admin.id }])
})

test('nothing of one team reaches another', async () => {
  const [ann, eve] = [await givenTeam(), await givenTeam()]
  await (await ann.add('owner')).ask('PATCH /team/notifications', { enabled: true })
  await (await eve.add('owner')).ask('PATCH /team/notifications', { enabled: true })
  await givenDomain(ann.id, 'ann.test')
  await watch()
  expect(statesOf(await messagesOf(ann.id))).toHaveLength(1)
  expect(await messagesOf(eve.id)).toEqual([])
})

test('a team is no longer watched once nobody wants its alerts, and again when somebody does', async () => {
  const team = await givenTeam()
  const { ask } = await team.add('owner')
  const isWatched = async () =>
    (await api.db.query('select 1 from alert_watch where team_id = $1', [team.id])).length > 0
  await ask('PATCH /team/notifications', { enabled: true })
  await watch()
  expect(await isWatched()).toBe(true)
  await ask('PATCH /team/notifications', { enabled: false })
  await watch()
  expect(await isWatched()).toBe(false)
  await givenDomain(team.id, 'again.test')
  await ask('PATCH /team/notifications', { enabled: true })
  await watch()
  expect(statesOf(await messagesOf(team.id))).toEqual([['summary', 'open domain_failing']])
})

/** Sends with this outcome of each request. Returns the ids of the requests. */
async function send(status: number, post?: () => Promise<void>): Promise<string[]> {
  const ids: string[] = []
  const line: Line = {
    async post(headers) {
      ids.push(headers['webhook-id'] ?? '')
      await post?.()
      return { kind: 'answered', status, retryAfter: null, text: '' }
    },
    retire: () => {},
    close: () => {},
  }
  await sendMessages(
    {
      db: api.db,
      clock,
      log: createLog('silent'),
      nodeId: newId(),
      acceptMime: () => Promise.reject(new Error('no email is expected')),
      publicUrl: 'https://api.test',
      from: null,
      isCapturing: false,
      secret: SECRET,
      openLine: () => line,
    },
    100,
  )
  return ids
}

async function givenWebhookTest() {
  await api.db.query("update alert_message set status = 'failed', due_at = null where due_at is not null")
  const team = await givenTeam()
  const { ask } = await team.add('owner')
  await ask('PUT /team/alert-webhook', { url: 'https://hooks.example.com/a' })
  const { json } = await ask('POST /team/notifications/test', { channel: 'webhook' })
  return { team, messageId: json.id as string }
}

test('a message that fails is sent again with the same id, and given up after seven attempts', async () => {
  const { team, messageId } = await givenWebhookTest()
  const ids: string[] = []
  for (let hour = 0; hour < 24; hour++) {
    ids.push(...(await send(500)))
    passMinutes(60)
  }
  expect(ids).toEqual(Array(7).fill(messageId))
  expect(await messagesOf(team.id)).toMatchObject([
    { status: 'failed', attempts: 7, error: 'The server answered 500.' },
  ])
})

test('two processes send a message once, and another takes it over when the first one died', async () => {
  const { team, messageId } = await givenWebhookTest()
  const [sent] = await Promise.all([send(200, async () => expect(await send(200)).toEqual([])), send(200)])
  expect([...sent, ...(await send(200))].filter((id) => id === messageId).length).toBeLessThanOrEqual(1)
  expect(await messagesOf(team.id)).toMatchObject([{ status: 'sent', attempts: 1 }])

  const dead = await givenWebhookTest()
  await api.db.query(
    'update alert_message set due_at = $2, leased_by = $3, attempts = 1 where team_id = $1',
    [dead.team.id, new Date(now.getTime() + MINUTE_MS), newId()],
  )
  expect(await send(200)).toEqual([])
  passMinutes(1)
  expect(await send(200)).toEqual([dead.messageId])
  expect(await messagesOf(dead.team.id)).toMatchObject([{ status: 'sent', attempts: 2 }])
})

test('nothing is sent to a person who left, also of messages that wait', async () => {
  const team = await givenTeam()
  const owner = await team.add('owner')
  const viewer = await team.add('viewer')
  await viewer.ask('PATCH /team/notifications', { enabled: true })
  await givenDomain(team.id, 'gone.test')
  await watch()
  expect(await messagesOf(team.id)).toHaveLength(1)
  await owner.ask(`DELETE /team/members/${viewer.id}`)
  expect(await messagesOf(team.id)).toEqual([])
})
