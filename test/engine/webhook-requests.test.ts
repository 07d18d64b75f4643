import { Resend } from 'resend'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SENT_EVENT_TYPES } from '../../src/events/catalogue.ts'
import { startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import type { GivenTeam } from '../support/teams.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { givenWebhook, happen } from '../support/webhooks.ts'

/** Requests of webhook owners over HTTP, and the resulting deliveries at their endpoints. */
let service: TestSendwright
let receiver: WebhookReceiver
let team: GivenTeam

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  service = await startTestSendwright({
    roles: ['api', 'webhooks'],
    environment: { SENDWRIGHT_WEBHOOK_RETRY_SCHEDULE: '50ms' },
  })
  team = await service.givenTeam()
})
afterAll(async () => {
  await receiver?.close()
  await service?.stop()
})

const comeTo = <T>(what: () => T) => expect.poll(what, { timeout: 60_000, interval: 20 })
const idsAt = (path: string) => receiver.at(path).map(({ headers }) => headers['webhook-id'])

function verifyByAll(secret: string, { headers, text }: { headers: object; text: string }): void {
  const fields = headers as Record<string, string>
  new StandardWebhook(secret).verify(text, fields)
  new SvixWebhook(secret).verify(text, fields)
  const [id = '', timestamp = '', signature = ''] = ['id', 'timestamp', 'signature'].map(
    (name) => fields[`svix-${name}`],
  )
  const webhookSecret = secret
  new Resend('re_x').webhooks.verify({ payload: text, headers: { id, timestamp, signature }, webhookSecret })
}

describe('POST /webhooks/{id}/test', () => {
  test('an example of every event arrives, as the delivery shows it, and all libraries verify it', async () => {
    const hook = await givenWebhook(team, receiver)
    for (const type of SENT_EVENT_TYPES) await team.post(`/webhooks/${hook.id}/test`, { type })
    await comeTo(() => receiver.at(hook.path).length).toBe(SENT_EVENT_TYPES.length)
    expect(
      receiver
        .at(hook.path)
        .map(({ json }) => json.type)
        .toSorted(),
    ).toEqual(SENT_EVENT_TYPES.toSorted())
    for (const arrived of receiver.at(hook.path)) {
      verifyByAll(hook.secret, arrived)
      const id = arrived.headers['webhook-id']
      const { json } = await team.get(`/webhooks/${hook.id}/deliveries/${id}`)
      expect(json.request.body).toBe(arrived.text)
    }
  })
})

describe('POST /webhooks/{id}/rotate-secret', () => {
  test('later requests verify with the new secret and with the old one', async () => {
    const hook = await givenWebhook(team, receiver)
    await team.post(`/webhooks/${hook.id}/test`)
    await comeTo(() => receiver.at(hook.path).length).toBe(1)
    const { json } = await team.post(`/webhooks/${hook.id}/rotate-secret`)
    await team.post(`/webhooks/${hook.id}/test`)
    await comeTo(() => receiver.at(hook.path).length).toBe(2)
    const [before, after] = receiver.at(hook.path) as [Arrived, Arrived]
    verifyByAll(hook.secret, before)
    expect(() => verifyByAll(json.signing_secret, before)).toThrow()
    verifyByAll(hook.secret, after)
    verifyByAll(json.signing_secret, after)
    expect(after.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
  })
})

type Arrived = ReturnType<WebhookReceiver['at']>[number]

describe('replays', () => {
  test('a failed delivery arrives again with its id, and then is the delivery of its event', async () => {
    const own = await service.givenTeam()
    const hook = await givenWebhook(own, receiver)
    let isDown = true
    receiver.answer(hook.path, (response) => {
      response.statusCode = isDown ? 503 : 200
      response.end(isDown ? 'down' : 'up')
    })
    await happen(service.db, own.id, { count: 1 })
    const list = async (query = '') => (await own.get(`/webhooks/${hook.id}/deliveries?${query}`)).json.data
    await comeTo(async () => (await list('status=failed')).length).toBe(1)
    isDown = false
    const [failed] = await list()
    expect(failed).toMatchObject({ attempt_count: 2, response_status: 503 })
    const { json: again } = await own.post(`/webhooks/${hook.id}/deliveries/${failed.id}/replay`)
    await comeTo(async () => (await list('status=delivered')).length).toBe(1)
    expect(idsAt(hook.path)).toEqual([failed.event_id, failed.event_id, failed.event_id])
    const { json: whole } = await own.get(`/webhooks/${hook.id}/deliveries/${again.id}`)
    expect(whole).toMatchObject({ attempt_count: 1, response: { status: 200, body: 'up' } })
    expect(whole.request.body).toBe(receiver.at(hook.path)[2]?.text)
    expect((await list('status=failed'))[0].replayed_as).toBe(again.id)
  })

  test('a delivery without an event arrives again with its id', async () => {
    const own = await service.givenTeam()
    const hook = await givenWebhook(own, receiver)
    const { id } = (await own.post(`/webhooks/${hook.id}/test`)).json
    const path = `/webhooks/${hook.id}/deliveries`
    await comeTo(async () => (await own.get(`${path}/${id}`)).json.status).toBe('delivered')
    await own.post(`${path}/${id}/replay`)
    await comeTo(() => idsAt(hook.path)).toEqual([id, id])
  })

  test('events from while it was disabled arrive once and only by a replay, along with new events', async () => {
    const own = await service.givenTeam()
    const hook = await givenWebhook(own, receiver)
    await own.patch(`/webhooks/${hook.id}`, { status: 'disabled' })
    const since = new Date(Date.now() - 60_000).toISOString()
    await happen(service.db, own.id, { count: 300 })
    await own.patch(`/webhooks/${hook.id}`, { status: 'enabled' })
    const { json } = await own.post(`/webhooks/${hook.id}/replay`, { since })
    expect(json).toMatchObject({ count: 300, has_more: false })
    await happen(service.db, own.id, { from: 300 })
    await comeTo(() => receiver.at(hook.path).length).toBe(301)
    expect(new Set(idsAt(hook.path)).size).toBe(301)
  })
})
