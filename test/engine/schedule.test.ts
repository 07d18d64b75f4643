import { beforeAll, expect, test } from 'vitest'
import { makeDue } from '../support/make-due.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender

beforeAll(async () => {
  service = await shareSendwright('direct')
  ann = await service.givenSender()
})

const inFuture = (ms: number) => new Date(Date.now() + ms).toISOString()
const DAY_MS = 24 * 3_600_000

test('200 for rescheduling, which changes its time, Date and lifetime', async () => {
  const id = await ann.send({ scheduled_at: inFuture(DAY_MS) })
  const at = inFuture(10 * DAY_MS)
  const moved = await ann.patch(`/emails/${id}`, { scheduled_at: at })
  expect([moved.status, moved.json]).toEqual([200, { object: 'email', id }])
  const { json } = await ann.get(`/emails/${id}`)
  expect(json).toMatchObject({ status: 'scheduled', scheduled_at: at.slice(0, 19).replace('T', ' ') })
  expect(json.recipients[0].next_attempt_at).toBe(json.scheduled_at)
  const date = new Date(at).toUTCString().replace('GMT', '+0000')
  expect((await ann.get(`/emails/${id}/raw`)).text).toContain(`\r\nDate: ${date}\r\n`)
})

test('200 for canceling: nothing is sent, and it cannot be rescheduled or canceled again', async () => {
  const to = service.givenDestination()
  const id = await ann.send({ to: [`a@${to}`, `b@${to}`], scheduled_at: inFuture(DAY_MS) })
  expect((await ann.post(`/emails/${id}/cancel`)).json).toEqual({ object: 'email', id })
  const { json } = await ann.get(`/emails/${id}`)
  expect(json).toMatchObject({ status: 'canceled', last_event: 'canceled' })
  expect(json.recipients.map((row: { status: string }) => row.status)).toEqual(['canceled', 'canceled'])
  expect(json.events.map((event: { type: string }) => event.type)).toEqual([
    'email.scheduled',
    'email.canceled',
  ])
  for (const again of [
    ann.post(`/emails/${id}/cancel`),
    ann.patch(`/emails/${id}`, { scheduled_at: inFuture(DAY_MS) }),
  ]) {
    expect([(await again).status, (await again).json.name]).toEqual([409, 'conflict'])
  }
  expect((await ann.get(`/emails/${id}`)).json.status).toBe('canceled')
})

test('409 when it is in progress or was never scheduled; 422 for an invalid time', async () => {
  const id = await ann.send()
  expect((await ann.post(`/emails/${id}/cancel`)).status).toBe(409)
  expect((await ann.patch(`/emails/${id}`, { scheduled_at: inFuture(DAY_MS) })).status).toBe(409)
  const scheduled = await ann.send({ scheduled_at: inFuture(DAY_MS) })
  for (const scheduled_at of [
    undefined,
    null,
    5,
    'tomorrow',
    '2020-01-01T00:00:00Z',
    inFuture(366 * DAY_MS),
  ]) {
    const { status, json } = await ann.patch(`/emails/${scheduled}`, { scheduled_at })
    expect([status, Object.keys(json.errors)]).toEqual([422, ['scheduled_at']])
  }
})

test('either canceled or delivered, never both, when it is canceled as it becomes due', async () => {
  const to = service.givenDestination()
  const scheduled_at = inFuture(DAY_MS)
  const ids = await Promise.all(
    Array.from({ length: 60 }, (_, i) => ann.send({ to: [`a${i}@${to}`, `b${i}@${to}`], scheduled_at })),
  )
  // Sixty concurrent requests may be too many for a busy machine; retry a 503.
  const cancel = async (id: string | undefined): Promise<number> => {
    const { status } = await ann.post(`/emails/${id}/cancel`)
    return status === 503 ? cancel(id) : status
  }
  // The first is certainly in time and the last too late; the others are spread around the release.
  const inTime = await cancel(ids[0])
  const due = Date.now() + 500
  await makeDue(service.db, ann.id, ids, new Date(due))
  const late = ann.settled(ids.at(-1) as string).then(({ id }) => cancel(id))
  const racing = ids.slice(1, -1).map(async (id, i) => {
    await new Promise((resolve) => setTimeout(resolve, due - Date.now() - 300 + i * 10))
    return cancel(id)
  })
  const outcomes = await Promise.all([inTime, ...racing, late])
  for (const [i, id] of ids.entries()) {
    const email = await ann.settled(id)
    expect([outcomes[i], email.status]).toEqual(outcomes[i] === 200 ? [200, 'canceled'] : [409, 'delivered'])
  }
  const sent = service.mx.messages.filter(({ to: [recipient] }) => recipient?.endsWith(to))
  expect(sent).toHaveLength(2 * outcomes.filter((status) => status === 409).length)
  expect([outcomes[0], outcomes.at(-1)]).toEqual([200, 409])
})
