import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../src/lib/log.ts'
import { installationPeriods } from '../../src/privacy/retention/periods.ts'
import { RetentionRound } from '../../src/privacy/retention/retention-round.ts'
import { makeDue } from '../support/make-due.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const DAY_MS = 24 * 3_600_000

let service: TestSendwright
let ann: Sender

beforeAll(async () => {
  service = await startTestSendwright({ environment: { SENDWRIGHT_KEEP_EVENTS: 'forever' } })
  ann = await service.givenSender()
})
afterAll(() => service?.stop())

/** Runs the tasks of the scheduler as of a year from now. */
async function passYear(): Promise<void> {
  const clock = { now: () => new Date(Date.now() + 400 * DAY_MS) }
  const { db, config } = service
  const installation = installationPeriods(config)
  await new RetentionRound({ db, clock, log: createLog('warn'), installation }).run()
}

test('scheduled mail of an expired week is delivered; the content of mail delivered earlier is gone', async () => {
  const to = `bob@${service.givenDestination()}`
  const over = await ann.send({ to, text: 'Long ago.' })
  await ann.settled(over)
  const scheduled = await ann.send({
    to,
    text: 'Much later.',
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
  })
  expect((await ann.get(`/emails/${over}`)).json).toMatchObject({ text: 'Long ago.', content_expired: false })

  await passYear()

  const { json } = await ann.get(`/emails/${over}`)
  expect(json).toMatchObject({ text: null, html: null, status: 'delivered', content_expired: true })
  expect(json.recipients).toHaveLength(1)
  const raw = await ann.get(`/emails/${over}/raw`)
  expect(raw.status).toBe(404)
  expect(raw.json.message).toBe('The content of this email is no longer stored.')
  expect((await ann.get(`/emails/${over}/attempts`)).json.data).toEqual([])

  expect((await ann.get(`/emails/${scheduled}`)).json).toMatchObject({
    text: 'Much later.',
    content_expired: false,
  })
  const later = new Date(Date.now() + 7_200_000).toISOString()
  expect((await ann.patch(`/emails/${scheduled}`, { scheduled_at: later })).status).toBe(200)
  await makeDue(service.db, ann.id, [scheduled])
  expect(await ann.settled(scheduled)).toMatchObject({ status: 'delivered', text: 'Much later.' })
  expect(service.mx.messages.some(({ raw }) => raw.toString().includes('Much later.'))).toBe(true)
})

test('200 with the periods in force; an account may choose less, but not more than the operator allows', async () => {
  const team = await service.givenTeam()
  const limits = { content: '30d', attempts: '30d', events: 'forever', webhook_deliveries: '30d' }
  const before = { object: 'retention', ...limits, emails: 'forever', limits }
  expect((await team.get('/retention')).json).toEqual(before)

  const shorter = await team.patch('/retention', { content: '7d', events: '60d' })
  expect(shorter.status).toBe(200)
  expect(shorter.json).toEqual({ ...before, content: '7d', events: '60d', emails: '60d' })
  expect((await team.patch('/retention', { content: null })).json).toMatchObject({
    content: '30d',
    events: '60d',
  })
})

test('422 by field for a period that is too long, too short for webhooks, or invalid; nothing changes', async () => {
  const team = await service.givenTeam()
  const refused = await team.patch('/retention', { content: '31d', events: '6d', attempts: 'soon' })
  expect(refused.status).toBe(422)
  expect(refused.json.errors).toEqual({
    content: ['The content field must not be longer than 30d, which is what the operator allows.'],
    attempts: ['The attempts field must be a number of days such as 30d, or forever.'],
    events: ['The events field must be at least 7d, because webhooks can deliver an event for days.'],
  })
  expect((await team.get('/retention')).json.content).toBe('30d')
  const sending = await team.givenKey({ permission: 'send' })
  expect((await sending.patch('/retention', { content: '1d' })).status).toBe(403)
})
