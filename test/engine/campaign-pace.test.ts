import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSendwright } from '../../src/app/start/start-sendwright.ts'
import { createLog } from '../../src/lib/log.ts'
import { givenReaders } from '../support/campaigns.ts'
import { made } from '../support/client.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
beforeAll(async () => {
  service = await startTestSendwright()
})
afterAll(() => service.stop())

interface Given {
  ann: Sender
  fields: Record<string, unknown>
}

/** Creates a team with a sender and a list of so many contacts. */
async function given(count: number): Promise<Given> {
  const { ann, senderId, listId } = await givenReaders(service, count)
  const ids = { sender_id: senderId, list_id: listId }
  return { ann, fields: { name: 'Spring', ...ids, subject: 'Hello', text: 'Hello' } }
}

async function begin({ ann, fields }: Given, more: Record<string, unknown>): Promise<string> {
  const id = await made(ann, '/campaigns', { ...fields, ...more })
  await change(ann, id, { status: 'sending' })
  return id
}

async function change(ann: Sender, id: string, changes: Record<string, unknown>) {
  const reply = await ann.patch(`/campaigns/${id}`, changes)
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}

const read = async ({ ann }: Given, id: string) => (await ann.get(`/campaigns/${id}`)).json
const status = async (world: Given, id: string) => (await read(world, id)).status
const accepted = async (world: Given, id: string) => (await read(world, id)).recipients.accepted

/** Returns when each email was accepted, in seconds after the first. */
async function acceptedAt(id: string): Promise<number[]> {
  const rows = await service.db.query<{ at: Date }>(
    `select updated_at as at from campaign_recipient where campaign_id = $1 and state = 'accepted' order by 1`,
    [id],
  )
  const [first] = rows
  return rows.map(({ at }) => (at.getTime() - (first?.at.getTime() ?? 0)) / 1000)
}

/** Expects that no period has more emails than the rate permits in it, with two seconds to catch up. */
function expectPace(seconds: readonly number[], perSecond: number): void {
  // Rows have the time of their request's transaction, which is some milliseconds before its look at the pace.
  const mostWithin = (periodSeconds: number) => (periodSeconds + 2.2) * perSecond + 1
  // Thousands of pairs: an expectation for each costs more than the campaign.
  const tooFast = seconds.flatMap((begin, from) =>
    seconds
      .slice(from)
      .flatMap((end, more) => (more + 1 > mostWithin(end - begin) ? [[begin, end, more + 1]] : [])),
  )
  expect(tooFast).toEqual([])
}

describe('the rate of a campaign', () => {
  test('holds up no other campaign, however many wait', async () => {
    const slow = await given(2)
    const ids: string[] = []
    for (let no = 0; no < 6; no++) ids.push(await begin(slow, { rate_per_hour: 1 }))
    const closed = {
      from: '00:00',
      to: '00:01',
      time_zone: 'UTC',
      days: [((new Date().getUTCDay() + 3) % 7) + 1],
    }
    for (let no = 0; no < 3; no++) ids.push(await begin(slow, { send_window: closed }))
    for (const id of ids.slice(0, 6)) await expect.poll(() => accepted(slow, id)).toBe(1)
    const quick = await given(3)
    const id = await begin(quick, {})
    await expect.poll(() => status(quick, id)).toBe('sent')
    for (const one of ids) await change(slow.ann, one, { status: 'canceled' })
  })

  test('is kept, evenly, and shown with the end', async () => {
    const world = await given(14)
    const id = await begin(world, { rate_per_hour: 7200 })
    await expect.poll(() => accepted(world, id)).toBeGreaterThan(1)
    const { recipients, estimated_end_at } = await read(world, id)
    expect(recipients.waiting).toBeGreaterThan(0)
    const end = Date.parse(`${estimated_end_at.replace(' ', 'T')}Z`)
    expect(Math.abs(end - Date.now())).toBeLessThan(9000)
    await expect.poll(() => status(world, id)).toBe('sent')
    const seconds = await acceptedAt(id)
    expectPace(seconds, 2)
    expect(seconds.at(-1)).toBeLessThan(13)
    expect(await read(world, id)).toMatchObject({ rate: null, estimated_end_at: null, waits_until: null })
  })

  test('is kept by two processes that both send the campaign', async () => {
    const world = await given(14)
    const other = await startSendwright(service.config, { roles: ['scheduler'], log: createLog('error') })
    let isOver = false
    // Each process takes it, as if the lease of the other had run out while it still works.
    const contested = (async () => {
      while (!isOver)
        await service.db.query('update campaign set leased_until = null where leased_until is not null')
    })()
    try {
      const id = await begin(world, { rate_per_hour: 7200 })
      await expect.poll(() => status(world, id)).toBe('sent')
      expect(await accepted(world, id)).toBe(14)
      expectPace(await acceptedAt(id), 2)
    } finally {
      isOver = true
      await contested
      await other.stop()
    }
  })

  test('can be changed although its template is a draft again', async () => {
    const { ann, fields } = await given(2)
    const template = { name: 'T', sender_id: fields.sender_id, subject: 'Hello', text_content: 'Hello' }
    const template_id = await made(ann, '/templates', template)
    const { name, sender_id, list_id } = fields
    const world = { ann, fields: { name, sender_id, list_id, template_id } }
    const id = await begin(world, { rate_per_hour: 1 })
    expect((await ann.patch(`/templates/${template_id}`, { status: 'draft' })).status).toBe(200)
    await change(ann, id, { name: 'Autumn', rate_per_hour: null })
    await expect.poll(() => status(world, id)).toBe('sent')
  })

  test('can be changed while the campaign is sent, like its name and nothing else', async () => {
    const world = await given(6)
    const { ann } = world
    const id = await begin(world, { rate_per_hour: 1 })
    await expect.poll(() => accepted(world, id)).toBe(1)
    for (const fields of [{ subject: 'Other' }, { send_window: null }]) {
      const [field] = Object.keys(fields)
      const reply = await ann.patch(`/campaigns/${id}`, fields)
      expect([reply.status, reply.json.message]).toEqual([
        422,
        `The ${field} field cannot be changed once the campaign is sending.`,
      ])
    }
    expect(await change(ann, id, { rate_per_hour: null, name: 'Summer' })).toMatchObject({
      status: 'sending',
      name: 'Summer',
      rate_per_hour: null,
      recipients: { waiting: 5, accepted: 1 },
    })
    await expect.poll(() => status(world, id)).toBe('sent')
    expect((await ann.patch(`/campaigns/${id}`, { rate_per_hour: 5 })).status).toBe(422)
  })
})

test('outside its hours, a campaign waits with its audience, and says until when', async () => {
  const world = await given(3)
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
  const window = (from: number, to: number) => ({
    send_window: { from: clock(from), to: clock(to), time_zone: 'UTC', days: null },
  })
  const id = await begin(world, window(2, 3))
  await expect.poll(async () => (await read(world, id)).recipients.waiting).toBe(3)
  const { waits_until, send_window, estimated_end_at } = await read(world, id)
  expect(waits_until.slice(11, 16)).toBe(send_window.from)
  expect(estimated_end_at).toBeNull()
  // It is looked at at least once a second.
  const leases = async () =>
    (await service.db.query('select leased_until from campaign where id = $1', [id]))[0]
  const before = await leases()
  await expect.poll(leases).not.toEqual(before)
  expect(await read(world, id)).toMatchObject({ status: 'sending', recipients: { waiting: 3, accepted: 0 } })
  await change(world.ann, id, { status: 'paused' })
  await change(world.ann, id, { ...window(-2, 2), status: 'sending' })
  await expect.poll(() => status(world, id)).toBe('sent')
  expect(await accepted(world, id)).toBe(3)
})

test('the metrics of a campaign: results, opens, clicks and opt-outs, by provider and hour', async () => {
  const world = await given(3)
  const { ann } = world
  await ann.patch(`/domains/${ann.domainId}`, { click_tracking: true })
  service.mx.script({ expect: 'RCPT', answer: '550 5.1.1 No such user', times: 1 })
  const html = '<a href="https://shop.test/">shop</a><a href="{{{UNSUBSCRIBE_URL}}}">leave</a>'
  const id = await begin(world, { text: null, html })
  await expect.poll(() => status(world, id)).toBe('sent')
  const totals = async () => (await ann.get(`/campaigns/${id}/metrics`)).json.totals
  await expect
    .poll(totals)
    .toMatchObject({ attempted: 3, delivered: 2, bounced: 1, bounced_hard: 1, clicked: 0 })

  // People need a moment to read.
  await service.db.query('update delivery set updated_at = $2 where team_id = $1', [
    ann.id,
    new Date(Date.now() - 60_000),
  ])
  const raw =
    service.mx.messages.findLast((message) => message.raw.includes(ann.domain))?.raw.toString() ?? ''
  const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const follow = async (pattern: RegExp, init: RequestInit) => {
    const { pathname } = new URL(pattern.exec(text)?.[0] ?? '')
    return (await fetch(`${service.url}${pathname}`, { redirect: 'manual', ...init })).status
  }
  const person =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15'
  const link = /https:\/\/api\.test\/t\/c\/[^"\s]+/
  for (let no = 0; no < 2; no++) expect(await follow(link, { headers: { 'user-agent': person } })).toBe(302)
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  expect(await follow(/https?:[^"\s>]*\/unsubscribe\/[\w.-]+/, { method: 'POST', body })).toBe(200)
  await expect
    .poll(totals)
    .toMatchObject({ delivered: 2, clicked: 2, clicked_unique: 1, clicked_machine: 0, unsubscribed: 1 })

  const metrics = (await ann.get(`/campaigns/${id}/metrics`)).json
  expect(metrics).toMatchObject({ id, recipients: { waiting: 0, accepted: 3, skipped: 0, failed: 0 } })
  expect(metrics.providers).toEqual([{ provider: 'other', counts: metrics.totals }])
  const hourly = metrics.hours.map(({ counts }: { counts: { attempted: number } }) => counts.attempted)
  expect(hourly.reduce((sum: number, count: number) => sum + count, 0)).toBe(3)
  expect(metrics.hours[0].at).toMatch(/:00:00$/)
  expect((await (await service.givenTeam()).get(`/campaigns/${id}/metrics`)).status).toBe(404)
  expect((await ann.delete(`/campaigns/${id}`)).status).toBe(200)
  const counted = 'select 1 from campaign_metric where campaign_id = $1'
  expect(await service.db.query(counted, [id])).toEqual([])
})

test.each([
  [{ rate_per_hour: 0 }, 'rate_per_hour'],
  [{ rate_per_hour: 100_000_001 }, 'rate_per_hour'],
  [{ rate_per_hour: 1.5 }, 'rate_per_hour'],
  [{ send_window: { from: '9:00', to: '18:00', time_zone: 'UTC' } }, 'send_window.from'],
  [{ send_window: { from: '09:00', to: '24:00', time_zone: 'UTC' } }, 'send_window.to'],
  [{ send_window: { from: '09:00', to: '09:00', time_zone: 'UTC' } }, 'send_window.to'],
  [{ send_window: { from: '09:00', to: '18:00', time_zone: 'Europe/Atlantis' } }, 'send_window.time_zone'],
  [{ send_window: { from: '09:00', to: '18:00' } }, 'send_window.time_zone'],
  [{ send_window: { from: '09:00', to: '18:00', time_zone: 'UTC', days: [] } }, 'send_window.days'],
  [{ send_window: { from: '09:00', to: '18:00', time_zone: 'UTC', days: [8] } }, 'send_window.days.0'],
])('422 for %j', async (fields, field) => {
  const ann = await service.givenTeam()
  const reply = await ann.post('/campaigns', { name: 'Spring', ...fields })
  expect([reply.status, Object.keys(reply.json.errors)]).toEqual([422, [field]])
})
