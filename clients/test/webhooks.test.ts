import { expect, test } from 'vitest'
import { startWebhookReceiver } from '../../test/support/webhook-receiver.ts'
import { describeClients } from './support/clients.ts'

describeClients((setup) => {
  test('the event of a real request; not that of a forged, old or foreign one', async (context) => {
    const receiver = await startWebhookReceiver()
    context.onTestFinished(() => receiver.close())
    const { run, fail, sender } = await setup.givenInterpreter(context)
    const { json: webhook } = await sender.post('/webhooks', { endpoint: `${receiver.url}/hook` })
    const id = await sender.send({ to: 'bounced@simulator.test' })
    await expect.poll(() => receiver.received.some(({ text }) => text.includes('email.bounced'))).toBe(true)
    const { text: payload, headers } = receiver.received.find(({ text }) =>
      text.includes('email.bounced'),
    ) as {
      text: string
      headers: Record<string, string>
    }
    const verify = (change: object = {}) => {
      const given = { payload, headers, secret: webhook.signing_secret, tolerance: 300, ...change }
      return {
        python: `
import json
given = json.loads(${JSON.stringify(JSON.stringify(given))})
result = sendwright.webhooks.verify(
    given["payload"].encode(), given["headers"], given["secret"], tolerance_seconds=given["tolerance"])`,
        php: `
$given = json_decode(base64_decode('${Buffer.from(JSON.stringify(given)).toString('base64')}'), true);
$result = $sendwright->webhooks->verify(
    $given['payload'], $given['headers'], $given['secret'], (float) $given['tolerance']);`,
      }
    }
    expect(await run(verify())).toMatchObject({ type: 'email.bounced', data: { email_id: id } })
    const capitals = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])
    expect(await run(verify({ headers: Object.fromEntries(capitals) }))).toMatchObject({
      type: 'email.bounced',
    })

    const forged = [
      { payload: `${payload} ` },
      { headers: { ...headers, 'webhook-id': 'another' } },
      { headers: { ...headers, 'webhook-timestamp': 'NaN' } },
      { headers: { host: 'a.test' } },
      { headers: { ...headers, 'webhook-signature': 'v1,AAAA v2,x v1' } },
      { secret: `whsec_${btoa('another secret of some length')}` },
      { secret: 'not base64!' },
      { tolerance: -1 },
    ]
    for (const change of forged) {
      expect(await fail(verify(change)), JSON.stringify(change)).toMatchObject({ name: 'invalid_signature' })
    }
  })
})
