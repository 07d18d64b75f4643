import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLANS } from '../../src/access/plans.ts'
import { type CampaignWorld, givenReaders } from '../support/campaigns.ts'
import { made, requester } from '../support/client.ts'
import { startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
beforeAll(async () => {
  service = await startTestSendwright()
})
afterAll(() => service.stop())

const given = (count: number) => givenReaders(service, count)

/** Begins a campaign to the list, or to the audience among the fields. */
async function begin(
  { ann, senderId, listId }: CampaignWorld,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const audience = fields.audience === undefined ? { list_id: listId } : {}
  const content = { subject: 'Hello', text: 'Dear {{{FIRST_NAME|reader}}}' }
  const id = await made(ann, '/campaigns', {
    name: 'Spring',
    sender_id: senderId,
    ...content,
    ...audience,
    ...fields,
  })
  const reply = await ann.post(`/campaigns/${id}/send`)
  expect(reply.status, reply.text).toBe(200)
  return id
}

const read = async ({ ann }: CampaignWorld, id: string) => (await ann.get(`/campaigns/${id}`)).json

async function reached(world: CampaignWorld, id: string, status: string) {
  await expect.poll(async () => (await read(world, id)).status, { timeout: 30_000 }).toBe(status)
  return read(world, id)
}

const storedOf = ({ to }: CampaignWorld) =>
  service.mx.messages.filter((message) => message.to[0]?.endsWith(`@${to}`))
const addressesOf = (world: CampaignWorld) => storedOf(world).map((message) => message.to[0])
const everyone = ({ to }: CampaignWorld, count: number, without: readonly number[] = []) =>
  Array.from({ length: count }, (_, no) => no)
    .filter((no) => !without.includes(no))
    .map((no) => `c${no}@${to}`)
    .sort()

test('nothing reaches those who unsubscribe, are suppressed, erased or deleted while their emails are queued', async () => {
  const count = 90
  const world = await given(count)
  const { ann, to, contactIds } = world
  // The first messages take so long that the last emails are in the queue for seconds.
  service.mx.script({ expect: '<message>', answer: '250 2.0.0 stored', byteEveryMs: 30, times: 70 })
  const id = await begin(world)
  await expect.poll(async () => (await read(world, id)).recipients.accepted).toBe(count)
  await expect.poll(() => storedOf(world).length).toBeGreaterThan(0)
  const path = (no: number) => `/contacts/${contactIds[no]}`
  const replies = await Promise.all([
    ann.patch(path(89), { unsubscribed: true }),
    ann.post('/suppressions', { email: `c87@${to}` }),
    ann.post(`${path(88)}/erase`, {}),
    ann.delete(path(86)),
  ])
  expect(replies.map(({ status }) => status)).toEqual([200, 201, 202, 200])
  const leftMs = performance.now()
  expect(storedOf(world).length).toBeLessThan(count - 20)
  await reached(world, id, 'sent')
  await expect.poll(() => storedOf(world).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(count - 4)
  expect(performance.now() - leftMs).toBeGreaterThan(1000)
  expect(addressesOf(world).sort()).toEqual(everyone(world, count, [86, 87, 88, 89]))
  const ofDeleted = (await ann.get(`/campaigns/${id}/recipients?limit=100`)).json.data.find(
    (one: { id: string }) => one.id === contactIds[86],
  )
  expect(ofDeleted).toMatchObject({ state: 'accepted', email_status: 'canceled' })
}, 90_000)

test('sent to those of the start without those who left, whatever becomes of contacts, lists and segments', async () => {
  const world = await given(20)
  const { ann, to, listId, contactIds } = world
  for (let no = 20; no < 30; no++) {
    contactIds.push(await made(ann, '/contacts', { email: `c${no}@${to}`, first_name: 'Zoe' }))
  }
  const named = (value: string) => ({
    groups: [
      {
        match_type: 'all',
        conditions: [{ field: 'first_name', type: 'string', operator: 'equals', value }],
      },
    ],
  })
  const segmentId = await made(ann, '/segments', { name: 'Named', filters: named('Zoe') })
  const include = [{ list_id: listId }, { segment_id: segmentId }]
  const id = await begin(world, { audience: { include, exclude: [] }, rate_per_hour: 18_000 })
  await expect.poll(async () => (await read(world, id)).recipients.waiting).toBeGreaterThan(0)
  const { recipients } = await read(world, id)
  expect(recipients.accepted).toBeLessThan(15)
  const replies = await Promise.all([
    ann.delete(`/contacts/${contactIds[17]}/lists/${listId}`),
    ann.patch(`/contacts/${contactIds[18]}`, { unsubscribed: true }),
    ann.patch(`/contacts/${contactIds[27]}`, { first_name: 'Bob' }),
    ann.delete(`/contacts/${contactIds[28]}`),
    ann.patch(`/segments/${segmentId}`, { filters: named('Nobody') }),
    ann.patch(`/lists/${listId}`, { name: 'Others' }),
    ann.post('/contacts', { email: `late@${to}`, first_name: 'Nobody', list_ids: [listId] }),
  ])
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 201])
  const ended = await reached(world, id, 'sent')
  expect(ended.recipients).toEqual({ waiting: 0, accepted: 28, skipped: 2, failed: 0 })
  await expect.poll(() => addressesOf(world).sort()).toEqual(everyone(world, 30, [18, 28]))
  const renamed = storedOf(world).find((message) => message.to[0] === `c27@${to}`)
  expect(renamed?.raw.toString()).toContain('Dear Bob')
}, 60_000)

test('paused when the quota of the month ends half-way, and continued by a resume once the month has turned', async () => {
  const count = 12
  const left = 5
  const world = await given(count)
  const { ann } = world
  await service.db.query("update team set plan = 'free' where id = $1", [ann.id])
  await service.db.query(
    `insert into usage (team_id, month, month_recipients, day, day_recipients, emails)
     values ($1, date_trunc('month', now() at time zone 'UTC')::date, $2, (now() at time zone 'UTC')::date, 0, 0)
     on conflict (team_id, month) do update set month_recipients = excluded.month_recipients`,
    [ann.id, (PLANS.free.monthRecipientsMax ?? 0) - left],
  )
  const id = await begin(world)
  const paused = { status: 'paused', paused_reason: 'quota' }
  expect(await reached(world, id, 'paused')).toMatchObject({
    ...paused,
    recipients: { accepted: left, waiting: count - left },
  })
  expect((await ann.post(`/campaigns/${id}/resume`)).status).toBe(200)
  expect(await reached(world, id, 'paused')).toMatchObject({ ...paused, recipients: { accepted: left } })
  // The month turns: what was used belongs to the last one. Processes remember the months that have a row.
  await service.db.query(
    "update usage set month = month - interval '1 month', day = day - 31 where team_id = $1",
    [ann.id],
  )
  await service.restart()
  const later = { ...world, ann: { ...ann, ...requester(service.url, ann.token) } }
  expect((await later.ann.post(`/campaigns/${id}/resume`)).status).toBe(200)
  expect((await reached(later, id, 'sent')).recipients).toMatchObject({ accepted: count, waiting: 0 })
  await expect.poll(() => addressesOf(world).sort()).toEqual(everyone(world, count))
}, 60_000)
