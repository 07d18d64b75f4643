import { expect, test } from 'vitest'
import { Sendwright } from '../src/index.ts'
import { useServer } from './support/server.ts'

const setup = useServer()

const emailFrom = (domain: string) => ({
  from: `a@${domain}`,
  to: 'b@receiver.test',
  subject: 'Once',
  text: 'Once.',
})
const keysSince = (first: number) =>
  setup.proxy.passed.slice(first).map(({ headers }) => headers['idempotency-key'])

test.each(['', ' '])(
  'a blank key (%j) is none: the retry of a send has the same key as its first attempt',
  async (blank) => {
    const { client, sender } = await setup.givenClient()
    const first = setup.proxy.passed.length
    setup.proxy.next('drop')
    const { id } = await client.emails
      .send(emailFrom(sender.domain), { idempotencyKey: blank, headers: { 'idempotency-key': blank } })
      .orThrow()
    const [key] = keysSince(first)
    expect(key).toMatch(/^[0-9a-f-]{32,36}$/)
    expect(keysSince(first)).toEqual([key, key])
    expect((await client.emails.list()).data?.data.map((email) => email.id)).toEqual([id])
  },
)

test('a key in the headers of a call is its key, before that of its options', async () => {
  const { client, sender } = await setup.givenClient()
  const email = emailFrom(sender.domain)
  const first = setup.proxy.passed.length
  setup.proxy.next('drop')
  const headers = { 'Idempotency-Key': 'of the call' }
  await client.emails.send(email, { headers, idempotencyKey: 'of the options' }).orThrow()
  await client.emails.send(email, { idempotencyKey: 'of the options' }).orThrow()
  const { error } = await client.emails.send(
    { ...email, to: 'nobody' },
    { headers: { 'idempotency-KEY': 'own' } },
  )
  expect(keysSince(first)).toEqual(['of the call', 'of the call', 'of the options', 'own'])
  expect(error).toMatchObject({ statusCode: 422, idempotencyKey: 'own' })
})

test.each(['once', ''])(
  'a key (%j) in the headers of a client is an error: all sends would have it',
  (key) => {
    const options = { apiKey: 'sw_any', baseUrl: 'https://mail.test', headers: { 'IDEMPOTENCY-Key': key } }
    expect(() => new Sendwright(options)).toThrow(TypeError)
    expect(() => new Sendwright(options)).toThrow('Pass idempotencyKey to each send instead.')
  },
)

test('headers of the caller replace those of the client in any case, and are sent once', async () => {
  const { client } = await setup.givenClient({
    retries: 0,
    headers: { 'User-Agent': 'shop/1', Authorization: 'Bearer another', 'Content-Type': 'text/plain' },
  })
  const first = setup.proxy.passed.length
  await client.lists.create({ name: 'One' })
  await client.lists.create({ name: 'One' }, { headers: { 'USER-AGENT': 'shop/2' } })
  const sent = setup.proxy.passed.slice(first).map(({ headers }) => headers)
  expect(sent).toMatchObject([
    { 'user-agent': 'shop/1', authorization: 'Bearer another', 'content-type': 'application/json' },
    { 'user-agent': 'shop/2', authorization: 'Bearer another', 'content-type': 'application/json' },
  ])
})
