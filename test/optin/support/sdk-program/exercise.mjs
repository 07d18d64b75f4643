import { Sendwright } from '@sendwright/sdk'

/** Calls the SDK in every way that depends on the runtime: requests, retries, pages, streams, signatures. */
export async function exercise({ url, token, from, signed }) {
  const client = new Sendwright({ apiKey: token, baseUrl: url })
  const email = { from, to: 'delivered@simulator.test', subject: 'Hello', text: 'Hello' }
  // The response to this request is lost once, so the client repeats it.
  const first = await client.emails.send(email, { idempotencyKey: 'once' }).orThrow()
  const again = await client.emails.send(email, { idempotencyKey: 'once' }).orThrow()
  await client.emails.send({ ...email, subject: 'Another' }).orThrow()
  let listed = 0
  for await (const _ of client.emails.list({ limit: 1 })) listed++
  const event = await client.webhooks.verify(signed).orThrow()
  const forged = await client.webhooks.verify({ ...signed, payload: `${signed.payload} ` })
  let streamed = ''
  for await (const { type } of client.events.stream({ from: 'start', types: ['email.queued'] })) {
    streamed = type
    break
  }
  const stranger = new Sendwright({ apiKey: 'sw_unknown', baseUrl: url })
  const { error } = await stranger.emails.list({ limit: 1 })
  return {
    listed,
    isSame: first.id === again.id,
    verified: event.type,
    forged: forged.error?.name ?? '',
    streamed,
    rejected: error?.name ?? '',
  }
}
