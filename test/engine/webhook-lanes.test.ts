import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { givenWebhook, happen, readDeliveries, readWebhook } from '../support/webhooks.ts'

let service: TestSendwright
let receiver: WebhookReceiver

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  service = await startTestSendwright({
    roles: ['api', 'webhooks'],
    environment: { SENDWRIGHT_WEBHOOK_RETRY_SCHEDULE: '100ms,100ms,100ms' },
  })
})
afterAll(async () => {
  await receiver?.close()
  await service?.stop()
})

const comeTo = <T>(what: () => T) => expect.poll(what, { timeout: 60_000, interval: 20 })
const givenOther = async () => {
  const team = await service.givenTeam()
  return { ...team, hook: await givenWebhook(team, receiver) }
}

test('new events are sent while many replays are in progress to a slow endpoint', async () => {
  const { hook, ...team } = await givenOther()
  await happen(service.db, team.id, { count: 40, subjects: Array.from({ length: 40 }, () => newId()) })
  await comeTo(async () => (await readDeliveries(service.db, hook.id)).length).toBe(40)
  const held: ServerResponse[] = []
  receiver.answer(hook.path, (response) => void held.push(response))
  const reply = await team.post(`/webhooks/${hook.id}/replay`, {
    since: new Date(Date.now() - 60_000),
    until: new Date(Date.now() + 60_000),
  })
  expect(reply.status, reply.text).toBe(202)
  await comeTo(() => held.length).toBeGreaterThan(0)
  await happen(service.db, team.id, { from: 40 })
  await comeTo(() => receiver.at(hook.path).some(({ json }) => json.data.no === 40)).toBe(true)
  receiver.answer(hook.path, (response) => response.end())
  for (const response of held) response.end()
  await comeTo(() => receiver.at(hook.path).length).toBe(81)
})

test('enabled and attempted immediately at its new URL when the old one returns 410 or Retry-After after the move', async () => {
  for (const status of [410, 503]) {
    const { hook, ...team } = await givenOther()
    const moved = `/moved-${status}`
    let old: ServerResponse | undefined
    receiver.answer(hook.path, (response) => {
      old = response
    })
    await happen(service.db, team.id)
    await comeTo(() => old).toBeDefined()
    await team.patch(`/webhooks/${hook.id}`, { endpoint: receiver.url + moved })
    await happen(service.db, team.id, { from: 1 })
    await comeTo(() => receiver.at(moved).length).toBe(1)
    old?.writeHead(status, { 'retry-after': '3600' }).end()
    await comeTo(() => receiver.at(moved).map(({ json }) => json.data.no)).toEqual([1, 0])
    expect(await readWebhook(service.db, hook.id)).toMatchObject({ status: 'enabled', probeAt: null })
  }
})

test('attempted immediately at its new URL when the previous one was failing and had sent Retry-After', async () => {
  const { hook, ...team } = await givenOther()
  receiver.answer(hook.path, (response) => response.writeHead(503, { 'retry-after': '3600' }).end())
  await happen(service.db, team.id)
  await comeTo(async () => (await readWebhook(service.db, hook.id)).probeAt).not.toBeNull()
  const reply = await team.patch(`/webhooks/${hook.id}`, { endpoint: `${receiver.url}/mended` })
  expect(reply.json).toMatchObject({ failing_since: null })
  await happen(service.db, team.id, { from: 1 })
  await comeTo(() => receiver.at('/mended').map(({ json }) => json.data.no)).toEqual([1])
})
