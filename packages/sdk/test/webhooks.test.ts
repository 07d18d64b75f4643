import { expect, test } from 'vitest'
import {
  type Received,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../../test/support/webhook-receiver.ts'
import { verifyWebhook } from '../src/index.ts'
import { useServer } from './support/server.ts'

const setup = useServer()

async function receiveOne(receiver: WebhookReceiver, count = 1): Promise<Received> {
  await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(count)
  return receiver.received[count - 1] as Received
}

test('the event of a real request, typed by its type; not that of a forged one', async (t) => {
  const receiver = await startWebhookReceiver()
  t.onTestFinished(() => receiver.close())
  const { client, sender } = await setup.givenClient()
  const webhook = await client.webhooks
    .create({ endpoint: `${receiver.url}/hook`, events: ['email.delivered', 'email.bounced'] })
    .orThrow()
  const secret = webhook.signing_secret ?? ''
  const id = await sender.send({ to: 'bounced@simulator.test' })
  const { text: payload, headers } = await receiveOne(receiver)

  const event = await client.webhooks.verify({ payload, headers, secret }).orThrow()
  expect(event.type).toBe('email.bounced')
  if (event.type === 'email.bounced') {
    expect([event.data.email_id, event.data.bounce?.type]).toEqual([id, 'Permanent'])
  }
  const fromHeaders = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const bytes = new TextEncoder().encode(payload)
  expect((await verifyWebhook({ payload: bytes, headers: fromHeaders, secret })).data).toEqual(event)

  const forged = [
    { payload: `${payload} `, headers, secret },
    { payload, headers: { ...headers, 'webhook-id': 'another' }, secret },
    { payload, headers: {}, secret },
    { payload, headers: { ...headers, 'webhook-signature': 'v1,AAAA v2,x' }, secret },
    { payload, headers, secret: `whsec_${btoa('another secret of some length')}` },
    { payload, headers, secret: 'not base64!' },
    { payload, headers, secret, toleranceSeconds: -1 },
  ]
  for (const request of forged) {
    expect((await verifyWebhook(request)).error, JSON.stringify(request)).toMatchObject({
      name: 'invalid_signature',
    })
  }
})

test('both secrets are valid during a rotation', async (t) => {
  const receiver = await startWebhookReceiver()
  t.onTestFinished(() => receiver.close())
  const { client } = await setup.givenClient()
  const { id, signing_secret: older } = await client.webhooks
    .create({ endpoint: `${receiver.url}/hook` })
    .orThrow()
  const { signing_secret: newer } = await client.webhooks.rotateSecret(id).orThrow()
  await client.webhooks.test(id, { type: 'email.opened' }).orThrow()
  const { text: payload, headers } = await receiveOne(receiver)
  for (const secret of [older ?? '', newer ?? '']) {
    const { data } = await client.webhooks.verify({ payload, headers, secret })
    expect(data?.type).toBe('email.opened')
  }
})
