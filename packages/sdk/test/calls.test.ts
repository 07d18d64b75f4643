import { describe, expect, test } from 'vitest'
import { Sendwright, SendwrightError } from '../src/index.ts'
import { useServer } from './support/server.ts'

const setup = useServer()

test('data of a call that succeeds, with the headers of its response', async () => {
  const { client, sender } = await setup.givenClient()
  const { data, error, headers } = await client.emails.send({
    from: `Ann <ann@${sender.domain}>`,
    to: 'bob@receiver.test',
    subject: 'Hello',
    text: 'It works.',
    attachments: [{ filename: 'a.bin', content: new Uint8Array([0, 255, 1]) }],
    tags: [{ name: 'kind', value: 'test' }],
  })
  expect(error).toBeNull()
  expect(headers?.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  const id = data?.id ?? ''
  await sender.settled(id)
  const email = await client.emails.get(id).orThrow()
  expect(email).toMatchObject({ id, status: 'delivered', subject: 'Hello', to: ['bob@receiver.test'] })
  expect([...(await client.emails.attachment(id, 0).orThrow())]).toEqual([0, 255, 1])
  expect(new TextDecoder().decode(await client.emails.raw(id).orThrow())).toContain('Subject: Hello')
})

test('a scheduled email from a Date, rescheduled and canceled', async () => {
  const { client, sender } = await setup.givenClient()
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
  const email = { from: `a@${sender.domain}`, to: 'b@receiver.test', subject: 'Later', text: 'Later.' }
  const { id } = await client.emails.send({ ...email, scheduled_at: inHours(1) }).orThrow()
  await client.emails.reschedule(id, { scheduled_at: inHours(2) }).orThrow()
  expect((await client.emails.cancel(id)).data).toMatchObject({ id })
  expect((await client.emails.cancel(id)).error).toMatchObject({ name: 'conflict', statusCode: 409 })
})

test('emails in a batch, with the errors of the invalid ones', async () => {
  const { client, sender } = await setup.givenClient()
  const email = { from: `a@${sender.domain}`, to: 'b@receiver.test', subject: 'Batch', text: 'One.' }
  const bad = { ...email, to: 'nobody' }
  expect((await client.emails.sendBatch([email, bad])).error).toMatchObject({ statusCode: 422 })
  const { data } = await client.emails.sendBatch([email, bad], { validation: 'permissive' })
  expect(data).toMatchObject({ data: [{ id: expect.any(String) }], errors: [{ index: 1 }] })
})

test('an import from CSV and an export of it', async () => {
  const { client } = await setup.givenClient()
  const csv = 'email,first_name\nann@receiver.test,Ann\nbob@receiver.test,Bob\n'
  const { id } = await client.contacts.import(csv, { delimiter: 'comma' }).orThrow()
  await expect.poll(async () => (await client.contacts.getImport(id)).data?.status).toBe('completed')
  const stream = await client.contacts.export({ q: 'ann' }).orThrow()
  const text = await new Response(stream).text()
  expect(text).toContain('ann@receiver.test')
  expect(text).not.toContain('bob@receiver.test')
})

describe('errors', () => {
  test('422 with the messages of each field, as a value and thrown by orThrow', async () => {
    const { client, sender } = await setup.givenClient()
    const email = { from: `a@${sender.domain}`, to: 'nobody', subject: 'Any', text: 'Any' }
    const { data, error } = await client.emails.send(email, { idempotencyKey: 'once' })
    expect(data).toBeNull()
    expect(error).toBeInstanceOf(SendwrightError)
    expect(error).toMatchObject({
      name: 'validation_error',
      statusCode: 422,
      errors: { to: [expect.any(String)] },
      requestId: expect.any(String),
      idempotencyKey: 'once',
    })
    await expect(client.emails.send(email).orThrow()).rejects.toThrow(error?.message ?? '')
  })

  test('401 for an unknown key, 404 for an unknown id, and nothing is requested for one that cannot be', async () => {
    const { client } = await setup.givenClient({ retries: 0 })
    const stranger = new Sendwright({ apiKey: 'sw_none', baseUrl: setup.proxy.url })
    expect((await stranger.domains.list()).error).toMatchObject({ name: 'invalid_api_key', statusCode: 401 })
    expect((await client.lists.get('a/b?c')).error).toMatchObject({ name: 'not_found', statusCode: 404 })
    const before = setup.proxy.passed.length
    for (const id of ['', '.', '..']) {
      expect((await client.emails.get(id)).error).toMatchObject({ name: 'invalid_request', statusCode: null })
    }
    expect(setup.proxy.passed.length).toBe(before)
  })

  test('a response of another server is an error, not data', async () => {
    const { client } = await setup.givenClient({ retries: 0 })
    setup.proxy.next({ status: 200, body: '<html>' }, { status: 302, headers: { location: '/x' } })
    expect((await client.account.usage()).error).toMatchObject({ name: 'invalid_response', statusCode: null })
    expect((await client.account.usage()).error).toMatchObject({ name: 'invalid_response', statusCode: 302 })
  })

  test('a missing key or URL throws when the client is created', () => {
    expect(() => new Sendwright({ baseUrl: 'https://mail.test' })).toThrow('SENDWRIGHT_API_KEY')
    expect(() => new Sendwright({ apiKey: 'sw_key' })).toThrow('SENDWRIGHT_URL')
  })
})
