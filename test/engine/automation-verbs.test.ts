import { beforeAll, expect, test } from 'vitest'
import { chainOf, givenAutomations, onEvent } from '../support/automations.ts'
import { made } from '../support/client.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
beforeAll(async () => {
  service = await shareSendwright('webhooks')
})

const given = () => givenAutomations(service)

test('a paused automation sends nothing, and goes on when it is resumed', async () => {
  const world = await given()
  const email = await world.givenEmail()
  const id = await world.activate(
    chainOf(onEvent('go'), ['wait', 'delay', { duration: '1 second' }], ['send', 'send_email', email]),
  )
  await world.report('go')
  await world.reached(id, 'running')
  await world.ann.patch(`/automations/${id}`, { status: 'paused' })
  await expect.poll(async () => (await world.runs(id))[0]?.is_held).toBe(true)
  expect(await world.subjects()).toEqual([])
  await world.ann.patch(`/automations/${id}`, { status: 'active' })
  await world.reached(id, 'completed')
  expect(await world.subjects()).toEqual(['Hello'])
})

test('runs end on the version on which they began', async () => {
  const world = await given()
  const chain = (reason: string) =>
    chainOf(onEvent('go'), ['wait', 'wait_for_event', { event_name: 'on' }], ['end', 'exit', { reason }])
  const id = await world.activate(chain('first'))
  await world.report('go', 0)
  await world.reached(id, 'running')
  const reply = await world.ann.patch(`/automations/${id}`, chain('second'))
  expect(reply.json.version).toBe(2)
  await world.report('go', 1)
  await world.reached(id, 'running', 2)
  await world.report('on', 0)
  await world.report('on', 1)
  const runs = await world.reached(id, 'completed', 2)
  const ends = Object.fromEntries(runs.map(({ version, reason }) => [version, reason]))
  expect(ends).toEqual({ 1: 'first', 2: 'second' })
})

test('the API begins runs of an automation with that trigger', async () => {
  const world = await given()
  const id = await world.activate(
    chainOf(['start', 'trigger', { type: 'api' }], ['wait', 'delay', { duration: '1 day' }]),
  )
  const body = { email: `c0@${world.to}`, payload: { a: 1 } }
  const reply = await world.ann.post(`/automations/${id}/runs`, body)
  expect(reply.status, reply.text).toBe(201)
  expect((await world.ann.post(`/automations/${id}/runs`, body)).status).toBe(409)
  expect((await world.ann.post(`/automations/${id}/runs/${reply.json.id}/cancel`)).status).toBe(200)
  await world.reached(id, 'cancelled')
})

test('a dry run tells each decision and sends nothing', async () => {
  const world = await given()
  const email = await world.givenEmail({ subject: 'Hi {{{PLAN}}}' })
  const id = await world.activate(
    chainOf(
      onEvent('go'),
      ['pro', 'condition', { type: 'rule', field: 'event.plan', operator: 'eq', value: 'pro' }],
      ['send', 'send_email', email],
      ['wait', 'delay', { duration: '1 day' }],
    ),
  )
  await made(world.ann, '/contacts', { email: `c0@${world.to}` })
  const reply = await world.ann.post(`/automations/${id}/dry-run`, {
    email: `c0@${world.to}`,
    payload: { plan: 'pro' },
  })
  expect(reply.status, reply.text).toBe(200)
  expect(reply.json.steps.map(({ key }: { key: string }) => key)).toEqual(['start', 'pro', 'send', 'wait'])
  expect(reply.json.steps[2].decision).toContain('Hi pro')
  expect(await world.subjects()).toEqual([])
  expect(await world.runs(id)).toEqual([])
})
