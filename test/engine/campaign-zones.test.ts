import { beforeAll, expect, test } from 'vitest'
import { givenReaders } from '../support/campaigns.ts'
import { made } from '../support/client.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
beforeAll(async () => {
  service = await shareSendwright('direct')
})

const HOUR_MS = 3_600_000
/** What clocks in UTC show so many hours from now. */
const clock = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString().slice(11, 16)
const hours = (from: number, to: number, by_contact = true) => ({
  send_window: { from: clock(from), to: clock(to), time_zone: 'UTC', by_contact },
})

/** Creates a team with a campaign to contacts with these time zones, named after their position. */
async function given(zones: readonly (string | null)[], more: Record<string, unknown>) {
  const contacts = zones.map((time_zone) => ({ time_zone }))
  const { ann, to, senderId, listId } = await givenReaders(service, contacts)
  const content = { name: 'Spring', sender_id: senderId, list_id: listId, subject: 'Hello', text: 'Hello' }
  const id = await made(ann, '/campaigns', { ...content, ...more })
  const change = async (changes: Record<string, unknown>) => {
    const reply = await ann.patch(`/campaigns/${id}`, changes)
    expect(reply.status, reply.text).toBe(200)
  }
  const read = async () => (await ann.get(`/campaigns/${id}`)).json
  /** The contacts whose email arrived, by their position. */
  const reached = () =>
    service.mx.messages
      .flatMap(({ to: addresses }) => addresses)
      .flatMap((address) => (address.endsWith(`@${to}`) ? Number(address.slice(1).split('@')[0]) : []))
      .sort()
  return { ann, id, change, read, reached }
}

/** Six hours behind UTC, and six ahead. */
const [BEHIND, AHEAD] = ['Etc/GMT+6', 'Etc/GMT-6']

test('contacts get a campaign in the hours of their own clocks, once, through pauses', async () => {
  const campaign = await given([null, BEHIND, AHEAD, 'Etc/UTC', BEHIND], hours(-1, 1))
  const { change, read, reached } = campaign
  await change({ status: 'sending' })
  await expect.poll(reached).toEqual([0, 3])
  await expect.poll(async () => (await read()).waits_until).not.toBeNull()
  const waiting = await read()
  expect(waiting).toMatchObject({ status: 'sending', recipients: { waiting: 3, accepted: 2 } })
  // Clocks six hours behind show the beginning first.
  const opensMs = Date.parse(`${waiting.waits_until.replace(' ', 'T')}Z`)
  expect(Math.round((opensMs - Date.now()) / HOUR_MS)).toBe(5)
  expect(waiting).toMatchObject({ estimated_end_at: null, send_window: { by_contact: true } })

  await change({ status: 'paused' })
  await change({ ...hours(-7, -5), status: 'sending' })
  await expect.poll(reached).toEqual([0, 1, 3, 4])
  await change({ status: 'paused' })
  await change({ send_window: null, status: 'sending' })
  await expect.poll(async () => (await read()).status).toBe('sent')
  expect(reached()).toEqual([0, 1, 2, 3, 4])
})

test('422 for hours of contacts that are turned on after the start, which has read no time zones', async () => {
  const { ann, id, change } = await given([BEHIND], hours(2, 3, false))
  await change({ status: 'sending' })
  await change({ status: 'paused' })
  const reply = await ann.patch(`/campaigns/${id}`, hours(2, 3))
  const message = 'The send_window.by_contact field cannot be turned on once the campaign has begun.'
  expect([reply.status, reply.json.errors]).toEqual([422, { 'send_window.by_contact': [message] }])
})

test('a campaign by the clocks of contacts keeps its rate, and ends with those in no zone', async () => {
  const { change, read, reached } = await given([null, null, null], {
    ...hours(-1, 1),
    rate_per_hour: 3600,
  })
  await change({ status: 'sending' })
  await expect.poll(async () => (await read()).status).toBe('sent')
  expect(reached()).toEqual([0, 1, 2])
})

test('contacts in a time zone that this server does not know get a campaign by the clocks of UTC', async () => {
  const campaign = await given([null, BEHIND], hours(-1, 1))
  await service.db.query(
    `update contact set time_zone = 'Mars/Base' where team_id = $1 and time_zone is not null`,
    [campaign.ann.id],
  )
  await campaign.change({ status: 'sending' })
  await expect.poll(async () => (await campaign.read()).status).toBe('sent')
  expect(campaign.reached()).toEqual([0, 1])
})
