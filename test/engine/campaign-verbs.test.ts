import { beforeAll, expect, test } from 'vitest'
import { type CampaignWorld, givenReaders } from '../support/campaigns.ts'
import { made } from '../support/client.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
beforeAll(async () => {
  service = await shareSendwright('direct')
})

/** Recipients of a retry that takes more than two transactions. */
const MANY = 10_004

interface World extends CampaignWorld {
  id: string
}

/** Creates a draft to a list of contacts at a destination of their own. */
async function given(contacts: readonly Record<string, unknown>[], content: Record<string, unknown> = {}) {
  const world = await givenReaders(service, contacts)
  const { ann, senderId: sender_id, listId: list_id } = world
  const body = { name: 'Spring', sender_id, list_id, subject: 'Hello', text: 'Hello', ...content }
  return { ...world, id: await made(ann, '/campaigns', body) }
}

async function ask({ ann, id }: World, verb: string, body?: Record<string, unknown>) {
  const reply = await ann.post(`/campaigns/${id}/${verb}`, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}

const read = async ({ ann, id }: World) => (await ann.get(`/campaigns/${id}`)).json

async function reached(world: World, status: string) {
  await expect.poll(async () => (await read(world)).status).toBe(status)
  return read(world)
}

const addressesOf = ({ to }: World) =>
  service.mx.messages.flatMap((message) => message.to.filter((address) => address.endsWith(`@${to}`)))

async function recipientsOf({ ann, id }: World, state: string) {
  const { data } = (await ann.get(`/campaigns/${id}/recipients?state=${state}`)).json
  return data as Record<string, unknown>[]
}

test('sent, paused and resumed by verbs; its recipients show the status of their emails', async () => {
  const world = await given([{}, {}, {}])
  service.mx.script({ expect: `RCPT TO:<c1@${world.to}>`, answer: '550 5.1.1 no such user', times: 1 })
  await service.db.query('update team set sending_paused_at = now() where id = $1', [world.ann.id])
  expect((await ask(world, 'send')).status).toBe('sending')
  expect((await reached(world, 'paused')).paused_reason).toBe('reputation')
  expect((await recipientsOf(world, 'waiting')).length).toBe(3)
  const alerts = (await world.ann.get('/attention')).json.data
  expect(alerts).toContainEqual(
    expect.objectContaining({ kind: 'campaign_paused', subject: expect.objectContaining({ id: world.id }) }),
  )
  await service.db.query('update team set sending_paused_at = null where id = $1', [world.ann.id])
  await ask(world, 'resume')
  await reached(world, 'sent')
  const statuses = async () => (await recipientsOf(world, 'accepted')).map((one) => one.email_status).sort()
  await expect.poll(statuses).toEqual(['bounced', 'delivered', 'delivered'])
  expect(addressesOf(world).sort()).toEqual([`c0@${world.to}`, `c2@${world.to}`])
  const types = 'campaign.started,campaign.paused,campaign.resumed,campaign.sent'
  const { data } = (await world.ann.get(`/events?types=${types}`)).json
  const about = { id: world.id, name: 'Spring' }
  expect(data.map((event: Record<string, unknown>) => [event.type, event.data])).toEqual([
    ['campaign.started', about],
    ['campaign.paused', { ...about, reason: 'reputation' }],
    ['campaign.resumed', about],
    ['campaign.sent', { ...about, recipients: { accepted: 3, skipped: 0, failed: 0 } }],
  ])
})

test('retried: exactly those that failed get an email, once their value is there and its list is gone', async () => {
  const named = { first_name: 'Zoe' }
  const content = { text: 'Dear {{FIRST_NAME}}' }
  const world = await given([named, {}, {}, named, {}], content)
  const { ann, to, contactIds } = world
  await service.db.query('update team set sending_paused_at = now() where id = $1', [ann.id])
  await ask(world, 'send')
  await reached(world, 'paused')
  await ann.post('/suppressions', { email: `c3@${to}` })
  await service.db.query('update team set sending_paused_at = null where id = $1', [ann.id])
  await ask(world, 'resume')
  expect((await reached(world, 'sent')).recipients).toEqual({
    waiting: 0,
    accepted: 1,
    skipped: 1,
    failed: 3,
  })
  const failed = await recipientsOf(world, 'failed')
  expect(new Set(failed.map(({ reason }) => reason))).toEqual(
    new Set(['The template variable FIRST_NAME is required.']),
  )
  // One lacks its value again, one must get no mail.
  for (const no of [1, 2]) await ann.patch(`/contacts/${contactIds[no]}`, { first_name: `N${no}` })
  await ann.patch(`/contacts/${contactIds[2]}`, { unsubscribed: true })
  const { list_id } = await read(world)
  await ann.delete(`/lists/${list_id}`)
  expect((await ask(world, 'retry')).count).toBe(3)
  expect((await reached(world, 'sent')).recipients).toEqual({
    waiting: 0,
    accepted: 2,
    skipped: 2,
    failed: 1,
  })
  await expect.poll(() => addressesOf(world).sort()).toEqual([`c0@${to}`, `c1@${to}`])
  expect((await ask(world, 'retry')).count).toBe(1)
  expect((await reached(world, 'sent')).recipients).toMatchObject({ accepted: 2, failed: 1 })
})

test('retried part by part when many failed, also after a pause and a restart', async () => {
  const world = await given([{ first_name: 'Zoe' }, {}], { text: 'Dear {{FIRST_NAME}}' })
  const { ann, id, to } = world
  await ask(world, 'send')
  await reached(world, 'sent')
  // Two parts and a bit: those in the last one have their value now, some have unsubscribed, and the others fail again.
  await service.db.query(
    `with k as materialized (
       select n, overlay(gen_random_uuid()::text placing 'ffff' || lpad(to_hex(n), 4, '0') from 1 for 8)::uuid as id
       from generate_series(1, $4::int4) as n
     ),
     added as (
       insert into contact (team_id, id, email, first_name, unsubscribed, created_at, updated_at)
       select $1, id, 'many' || n || '@' || $3, case when n > $4 - 5 then 'Ann' end, n % 2 = 0, now(), now() from k
     ),
     failed as (
       insert into campaign_recipient (team_id, campaign_id, contact_id, state, reason, updated_at)
       select $1, $2, id, 'failed', 'The template variable FIRST_NAME is required.', now() from k
     )
     update campaign_progress set failed = failed + $4 where team_id = $1 and campaign_id = $2`,
    [ann.id, id, to, MANY],
  )
  expect((await ask(world, 'retry')).count).toBe(MANY + 1)
  await ask(world, 'pause')
  const { recipients } = await read(world)
  expect(recipients.waiting + recipients.accepted + recipients.skipped + recipients.failed).toBe(MANY + 2)
  expect(recipients.waiting).toBeGreaterThan(0)
  await ask(world, 'resume')
  await service.restart()
  // The service has another address now.
  const after = () =>
    service.db.query(
      `select c.status, p.waiting, p.accepted, p.skipped, p.failed
       from campaign c
       join campaign_progress p on p.team_id = c.team_id and p.campaign_id = c.id
       where c.id = $1`,
      [id],
    )
  await expect
    .poll(after, { timeout: 60_000 })
    .toEqual([{ status: 'sent', waiting: 0, accepted: 1 + 2, skipped: MANY / 2, failed: 1 + MANY / 2 - 2 }])
  const last = [MANY - 3, MANY - 1].map((n) => `many${n}@${to}`)
  await expect.poll(() => addressesOf(world).sort()).toEqual([`c0@${to}`, ...last].sort())
}, 120_000)
