import { expect, test } from 'vitest'
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
    const { client, sender } = await setup.givenClient({ headers: { 'Idempotency-Key': blank } })
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

test('a key in the headers of a call or of the client is the key of the call', async () => {
  const { client, sender } = await setup.givenClient({ headers: { 'IDEMPOTENCY-KEY': 'of the client' } })
  const email = emailFrom(sender.domain)
  const first = setup.proxy.passed.length
  setup.proxy.next('drop')
  await client.emails.send(email, { headers: { 'Idempotency-Key': 'of the call' } }).orThrow()
  await client.emails.send(email, { idempotencyKey: 'of the options' }).orThrow()
  const { error } = await client.emails.send({ ...email, to: 'nobody' })
  expect(keysSince(first)).toEqual(['of the call', 'of the call', 'of the options', 'of the client'])
  expect(error).toMatchObject({ statusCode: 422, idempotencyKey: 'of the client' })
})

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
