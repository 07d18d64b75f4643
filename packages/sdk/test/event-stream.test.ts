import { expect, test } from 'vitest'
import { Sendwright } from '../src/index.ts'
import { useServer } from './support/server.ts'

const setup = useServer()

test('continues after its cursor when connections break: every event once, in order', async () => {
  const { client, sender } = await setup.givenClient()
  const emails = [await sender.send()]
  const seen: string[] = []
  for await (const event of client.events.stream({ types: ['email.queued'], from: 'start' })) {
    seen.push(event.data.email_id)
    if (seen.length === 6) break
    // The events of this email come over another connection.
    setup.proxy.cut()
    emails.push(await sender.send())
  }
  expect(seen).toEqual(emails)
})

test('a later stream continues at the stored cursor', async () => {
  const { client, sender } = await setup.givenClient()
  const ids = [await sender.send(), await sender.send(), await sender.send()]
  const first = client.events.stream({ types: ['email.queued'], from: 'start' })
  expect(first.cursor).toBeNull()
  for await (const event of first) {
    expect(event.data.email_id).toBe(ids[0])
    break
  }
  const read: string[] = []
  for await (const event of client.events.stream({
    types: ['email.queued'],
    after: first.cursor as string,
  })) {
    read.push(event.data.email_id)
    if (read.length === 2) break
  }
  expect(read).toEqual(ids.slice(1))
})

test('begins with the next event by default, survives errors of a proxy, and ends without an error', async () => {
  const { client, sender } = await setup.givenClient()
  await sender.send()
  setup.proxy.next({ status: 502 }, { status: 429, headers: { 'retry-after': '0' } })
  const end = new AbortController()
  const first = setup.proxy.passed.length
  const stream = client.events.stream({ types: ['contact.created'], signal: end.signal })
  const reading = (async () => {
    const addresses: string[] = []
    for await (const event of stream) {
      addresses.push(event.data.email)
      end.abort()
    }
    return addresses
  })()
  await expect.poll(() => setup.proxy.passed[first + 2]?.status).toBe(200)
  await client.contacts.create({ email: 'ann@receiver.test' }).orThrow()
  expect(await reading).toEqual(['ann@receiver.test'])
})

async function firstOf(stream: AsyncIterable<unknown>): Promise<unknown> {
  for await (const event of stream) return event
  return null
}

test('throws if the server rejects the request', async () => {
  const { client } = await setup.givenClient()
  const stranger = new Sendwright({ apiKey: 'sw_none', baseUrl: setup.proxy.url })
  await expect(firstOf(stranger.events.stream())).rejects.toMatchObject({ name: 'invalid_api_key' })
  const stream = client.events.stream({ after: 'no-cursor' })
  await expect(firstOf(stream)).rejects.toMatchObject({ statusCode: 422 })
})

test.each(['one\ntwo', 'one\r\n two', 'one\0two', 'one…'])(
  'throws at once, without a request, for a cursor that no header can have: %j',
  async (after) => {
    const { client } = await setup.givenClient()
    const first = setup.proxy.passed.length
    await expect(firstOf(client.events.stream({ after }))).rejects.toMatchObject({
      name: 'invalid_request',
      statusCode: null,
      message: expect.stringContaining('last-event-id'),
    })
    expect(setup.proxy.passed.length).toBe(first)
  },
)
