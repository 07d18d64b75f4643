import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PLANS } from '../../src/access/plans.ts'
import { startSendwright } from '../../src/app/start/start-sendwright.ts'
import { createLog } from '../../src/lib/log.ts'
import { type CampaignWorld, givenReaders } from '../support/campaigns.ts'
import { made } from '../support/client.ts'
import { startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
beforeAll(async () => {
  service = await startTestSendwright()
})
afterAll(() => service.stop())

interface GivenContacts {
  plan?: 'unlimited' | 'free'
  fields?(no: number): Record<string, unknown>
}

const given = (count: number, { plan = 'unlimited', fields = () => ({}) }: GivenContacts = {}) =>
  givenReaders(
    service,
    Array.from({ length: count }, (_, no) => fields(no)),
    { plan },
  )

const campaignOf = ({ senderId, listId }: CampaignWorld, fields: Record<string, unknown> = {}) => ({
  name: 'Spring',
  sender_id: senderId,
  list_id: listId,
  subject: 'Hello {{{FIRST_NAME|there}}}',
  html: '<p>Hi {{{FIRST_NAME|you}}}</p><a href="{{{UNSUBSCRIBE_URL}}}">leave</a>',
  ...fields,
})

async function begin(world: CampaignWorld, fields: Record<string, unknown> = {}): Promise<string> {
  const id = await made(world.ann, '/campaigns', campaignOf(world, fields))
  if (fields.status === undefined) await setStatus(world, id, 'sending')
  return id
}

const read = async ({ ann }: CampaignWorld, id: string) => (await ann.get(`/campaigns/${id}`)).json

/** Waits until the campaign has a status, and returns it. */
async function reached(world: CampaignWorld, id: string, status: string) {
  await expect.poll(async () => (await read(world, id)).status).toBe(status)
  return read(world, id)
}

async function setStatus({ ann }: CampaignWorld, id: string, status: string) {
  const reply = await ann.patch(`/campaigns/${id}`, { status })
  expect(reply.status, reply.text).toBe(200)
}

const storedOf = ({ to }: CampaignWorld) =>
  service.mx.messages.filter((message) => message.to[0]?.endsWith(`@${to}`))
const addressesOf = (world: CampaignWorld) => storedOf(world).map((message) => message.to[0])
const everyone = ({ to }: CampaignWorld, count: number) =>
  Array.from({ length: count }, (_, no) => `c${no}@${to}`).sort()

describe('a campaign', () => {
  test('sent once to each contact of the list, with their values and a link to leave it', async () => {
    const world = await given(30, { fields: (no) => (no === 0 ? { first_name: 'Zoe' } : {}) })
    const id = await begin(world)
    const { recipients, started_at, ended_at } = await reached(world, id, 'sent')
    expect(recipients).toEqual({ waiting: 0, accepted: 30, skipped: 0, failed: 0 })
    expect(started_at <= ended_at).toBe(true)
    await expect.poll(() => addressesOf(world).sort()).toEqual(everyone(world, 30))
    const first = storedOf(world).find((message) => message.to[0] === `c0@${world.to}`)
    const text = first?.raw.toString() ?? ''
    expect(text).toMatch(/^Subject: Hello Zoe\r$/m)
    expect(text).toMatch(/^List-Unsubscribe: </m)
    const link = /http[^"\s]*\/unsubscribe\/[\w.-]+/.exec(text.replaceAll('=\r\n', ''))?.[0]
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = 'List-Unsubscribe=One-Click'
    const path = new URL(link ?? '').pathname
    expect((await fetch(`${service.url}${path}`, { method: 'POST', headers, body })).status).toBe(200)
    const next = await begin(world)
    expect((await reached(world, next, 'sent')).recipients).toMatchObject({ accepted: 29 })
  })

  test('held within a second of a pause, and continued by a resume', async () => {
    const world = await given(60)
    service.mx.script({ expect: '<message>', answer: '250 2.0.0 stored', byteEveryMs: 20, times: 60 })
    const id = await begin(world)
    await expect.poll(() => storedOf(world).length).toBeGreaterThan(3)
    await setStatus(world, id, 'paused')
    const pausedMs = performance.now()
    expect(await read(world, id)).toMatchObject({ status: 'paused', paused_reason: 'user' })
    await expect.poll(() => performance.now() - pausedMs).toBeGreaterThan(1000)
    const then = storedOf(world).length
    await expect.poll(() => performance.now() - pausedMs).toBeGreaterThan(3000)
    expect(storedOf(world)).toHaveLength(then)
    expect(then).toBeLessThan(60)
    // A pause of ten days is longer than the lifetime of emails.
    await service.db.query(
      `with e as (update email set created_at = created_at - interval '10 days' where team_id = $1)
       update delivery set expires_at = expires_at - interval '10 days' where team_id = $1 and due_at is not null`,
      [world.ann.id],
    )

    await setStatus(world, id, 'sending')
    await reached(world, id, 'sent')
    const lived =
      'select 1 from delivery where team_id = $1 and attempts = 1 and expires_at > now() limit 100'
    expect((await service.db.query(lived, [world.ann.id])).length).toBe(60)
    await expect.poll(() => addressesOf(world).sort()).toEqual(everyone(world, 60))
  })

  test('dropped by a cancelation: what was not sent is canceled, and the quota gets it back', async () => {
    const world = await given(40)
    service.mx.script({ expect: '<message>', answer: '250 2.0.0 stored', byteEveryMs: 20, times: 40 })
    const id = await begin(world)
    await expect.poll(() => storedOf(world).length).toBeGreaterThan(1)
    await setStatus(world, id, 'canceled')
    const statuses = async () => {
      const rows = await service.db.query<{ status: string; count: number }>(
        `select d.status, count(*)::int4 as count
         from delivery d
         join campaign_recipient r on r.team_id = d.team_id and r.email_id = d.email_id
         where r.campaign_id = $1
         group by d.status`,
        [id],
      )
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
    }
    await expect.poll(async () => (await statuses()).queued).toBeUndefined()
    const { delivered = 0, canceled = 0 } = await statuses()
    expect(delivered).toBe(storedOf(world).length)
    expect(canceled).toBeGreaterThan(0)
    const { recipients, status } = await read(world, id)
    expect([status, delivered + canceled]).toEqual(['canceled', recipients.accepted])
    expect((await world.ann.patch(`/campaigns/${id}`, { status: 'sending' })).status).toBe(422)
    const used = 'select month_recipients::int4 as recipients from usage where team_id = $1'
    expect(await service.db.query(used, [world.ann.id])).toEqual([{ recipients: delivered }])
  })

  test('not sent to those who unsubscribe, are suppressed or deleted after its start, or join later', async () => {
    const world = await given(5)
    const { ann, to } = world
    const id = await begin(world, { status: 'draft' })
    // Nothing is accepted while sending is paused, so the audience is complete before anybody leaves it.
    await service.db.query('update team set sending_paused_at = now() where id = $1', [ann.id])
    await setStatus(world, id, 'sending')
    expect(await reached(world, id, 'paused')).toMatchObject({
      paused_reason: 'reputation',
      recipients: { waiting: 5, accepted: 0 },
    })
    const contacts = (await ann.get('/contacts')).json.data as { id: string; email: string }[]
    const idOf = (no: number) => contacts.find(({ email }) => email === `c${no}@${to}`)?.id
    await ann.patch(`/contacts/${idOf(0)}`, { unsubscribed: true })
    await ann.post('/suppressions', { email: `c1@${to}` })
    await ann.delete(`/contacts/${idOf(2)}`)
    await ann.post('/contacts', { email: `late@${to}`, list_ids: [world.listId] })
    await service.db.query('update team set sending_paused_at = null where id = $1', [ann.id])
    await setStatus(world, id, 'sending')
    const { recipients } = await reached(world, id, 'sent')
    expect(recipients).toEqual({ waiting: 0, accepted: 2, skipped: 3, failed: 0 })
    expect(addressesOf(world).sort()).toEqual([`c3@${to}`, `c4@${to}`])
  })

  test('paused when the quota of the day is used up, and continued from there', async () => {
    const world = await given(12)
    const { ann } = world
    await service.db.query("update team set plan = 'free' where id = $1", [ann.id])
    const left = 5
    await service.db.query(
      `insert into usage (team_id, month, month_recipients, day, day_recipients, emails)
       values ($1, date_trunc('month', now() at time zone 'UTC')::date, 0, (now() at time zone 'UTC')::date, $2, 0)
       on conflict (team_id, month) do update set day = excluded.day, day_recipients = excluded.day_recipients`,
      [ann.id, (PLANS.free.dayRecipientsMax ?? 0) - left],
    )
    const id = await begin(world)
    expect(await reached(world, id, 'paused')).toMatchObject({
      paused_reason: 'quota',
      recipients: { accepted: left, waiting: 12 - left },
    })
    await service.db.query("update team set plan = 'unlimited' where id = $1", [ann.id])
    await setStatus(world, id, 'sending')
    await reached(world, id, 'sent')
    expect(addressesOf(world).sort()).toEqual(everyone(world, 12))
  })

  test('sent to a segment with properties and their fallbacks, and deleted with its recipients', async () => {
    const world = await given(2)
    const { ann } = world
    await made(ann, '/properties', { key: 'plan', type: 'string', fallback_value: 'basic' })
    const contact = { email: `rich@${world.to}`, properties: { plan: 'gold' } }
    await made(ann, '/contacts', contact)
    const condition = { field: 'email', type: 'string', operator: 'contains', value: world.to }
    const filters = { groups: [{ match_type: 'all', conditions: [condition] }] }
    const segment_id = await made(ann, '/segments', { name: 'All', filters })
    const content = { html: null, text: 'Your plan: {{PLAN}}.' }
    const id = await begin(world, { list_id: null, segment_id, ...content })
    await reached(world, id, 'sent')
    await expect.poll(() => storedOf(world).length).toBe(3)
    const plans = storedOf(world).map(({ raw }) => /Your plan: (\w+)\./.exec(raw.toString())?.[1])
    expect(plans.sort()).toEqual(['basic', 'basic', 'gold'])
    expect((await ann.delete(`/campaigns/${id}`)).status).toBe(200)
    const left = () =>
      service.db.query(
        `select 1 from campaign_recipient where campaign_id = $1
         union all
         select 1 from campaign_version where campaign_id = $1`,
        [id],
      )
    await expect.poll(left).toEqual([])
  })

  test('paused while the domain of its sender is not verified', async () => {
    const world = await given(1)
    await service.db.query('delete from verified_domain where team_id = $1', [world.ann.id])
    const id = await begin(world)
    expect(await reached(world, id, 'paused')).toMatchObject({
      paused_reason: 'domain',
      recipients: { waiting: 1 },
    })
  })

  test('failed for contacts that lack a value, with the variable; new content reaches those who still wait', async () => {
    const world = await given(3, { fields: (no) => (no === 1 ? { first_name: 'Bob' } : {}) })
    const id = await begin(world, { text: 'Dear {{LAST_NAME}}', html: null })
    expect((await reached(world, id, 'sent')).recipients).toMatchObject({ accepted: 0, failed: 3 })
    const rows = await service.db.query(
      'select distinct reason from campaign_recipient where campaign_id = $1',
      [id],
    )
    expect(rows).toEqual([{ reason: 'The template variable LAST_NAME is required.' }])
  })

  test('sent at its time; paused if that passed more than six hours ago', async () => {
    const world = await given(2)
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    const late = await begin(world, { status: 'scheduled', scheduled_at: at(3_600_000) })
    const due = await begin(world, { status: 'scheduled', scheduled_at: at(3_600_000) })
    const move = 'update campaign set scheduled_at = now() - $2::interval where id = $1'
    await service.db.query(move, [late, '7 hours'])
    await service.db.query(move, [due, '5 hours'])
    expect(await reached(world, late, 'paused')).toMatchObject({ paused_reason: 'missed', started_at: null })
    await reached(world, due, 'sent')
    await setStatus(world, late, 'sending')
    await reached(world, late, 'sent')
    expect(storedOf(world)).toHaveLength(4)
  })
})

/** How often a process loses its lease: many times in each batch of recipients. */
const CONTEST_MS = 5

test('sent once to everybody by two processes that both hold it, through restarts of the service', async () => {
  const world = await given(300)
  const other = await startSendwright(service.config, { roles: ['scheduler'], log: createLog('error') })
  let isOver = false
  // Each process takes it, as if the lease of the other had run out while it still works.
  const contested = (async () => {
    while (!isOver) {
      await service.db.query('update campaign set leased_until = null where leased_until is not null')
      // A loop without a pause would take a processor from both.
      await pause(CONTEST_MS)
    }
  })()
  try {
    const id = await begin(world)
    for (let turn = 0; turn < 2; turn++) await service.restart()
    const status = () => service.db.query('select status from campaign where id = $1', [id])
    await expect.poll(status).toEqual([{ status: 'sent' }])
    await expect.poll(() => addressesOf(world).length).toBeGreaterThanOrEqual(300)
  } finally {
    isOver = true
    await contested
    await other.stop()
  }
  expect(addressesOf(world).sort()).toEqual(everyone(world, 300))
})
