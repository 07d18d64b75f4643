import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
let ann: Sender

beforeAll(async () => {
  service = await startTestSendwright()
  ann = await service.givenSender()
})
afterAll(() => service.stop())

test('delivered after two deferrals, each try kept with its conversation, and the same bytes every time', async () => {
  const { mx } = service
  const domain = service.givenDestination()
  mx.script({ expect: '<message>', answer: '451 4.3.0 Try later', times: 2 })
  const id = await ann.send({ to: `bob@${domain}` })
  const delayed = await ann.seen(id, ({ status }) => status === 'delivery_delayed')
  expect(delayed.recipients[0]).toMatchObject({
    status: 'delivery_delayed',
    smtp_code: 451,
    enhanced_code: '4.3.0',
  })
  expect(delayed.recipients[0].next_attempt_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  const email = await ann.settled(id)
  expect(email).toMatchObject({ status: 'delivered', last_event: 'delivered' })
  expect(email.recipients[0]).toMatchObject({
    attempts: 3,
    next_attempt_at: null,
    mx_host: 'mx.receiver.test',
  })
  expect(email.events.map((event: { type: string }) => event.type)).toEqual([
    'email.queued',
    'email.delivery_delayed',
    'email.delivery_delayed',
    'email.delivered',
  ])
  const { json } = await ann.get(`/emails/${id}/attempts`)
  expect(json.data.map((row: { outcome: string; attempt: number }) => [row.attempt, row.outcome])).toEqual([
    [1, 'deferred'],
    [2, 'deferred'],
    [3, 'delivered'],
  ])
  for (const { conversation } of json.data) {
    const times = conversation.map((line: { at_ms: number }) => line.at_ms)
    expect(times).toEqual([...times].sort((a: number, b: number) => a - b))
    expect(conversation.some((line: { text: string }) => line.text.startsWith('RCPT TO:'))).toBe(true)
    expect(JSON.stringify(conversation)).not.toContain('It works.')
  }
  const tries = mx.contents.filter(({ to }) => to[0] === `bob@${domain}`)
  expect(tries).toHaveLength(3)
  expect(new Set(tries.map(({ raw }) => raw.toString('latin1'))).size).toBe(1)
  expect(new Set(tries.map(({ from }) => from)).size).toBe(1)
})
