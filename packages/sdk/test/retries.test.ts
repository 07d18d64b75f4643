import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listenHere } from '../../../test/support/listen-here.ts'
import { Sendwright } from '../src/index.ts'
import { useServer } from './support/server.ts'

const setup = useServer()
const SOON = { 'retry-after': '0' }

const emailFrom = (domain: string) => ({
  from: `a@${domain}`,
  to: 'b@receiver.test',
  subject: 'Once',
  text: 'Once.',
})
const keysOf = (requests: readonly { headers: object }[]) =>
  requests.map(({ headers }) => Reflect.get(headers, 'idempotency-key'))

describe('a request whose response was lost', () => {
  test('after the commit: the call gives one email, under one key', async () => {
    const { client, sender } = await setup.givenClient()
    const first = setup.proxy.passed.length
    setup.proxy.next('drop', 'drop')
    const { id } = await client.emails.send(emailFrom(sender.domain)).orThrow()
    const keys = keysOf(setup.proxy.passed.slice(first))
    expect(keys).toEqual([expect.any(String), keys[0], keys[0]])
    expect((await client.emails.list()).data?.data.map((email) => email.id)).toEqual([id])
  })

  test('once for a batch, a raw message and an email sent again', async () => {
    const { client, sender } = await setup.givenClient()
    setup.proxy.next('drop')
    const batch = await client.emails
      .sendBatch([emailFrom(sender.domain), emailFrom(sender.domain)])
      .orThrow()
    setup.proxy.next('drop')
    const raw = await client.emails
      .sendMime({
        envelope_from: `a@${sender.domain}`,
        envelope_to: 'b@receiver.test',
        raw_message: `From: a@${sender.domain}\r\nSubject: Raw\r\n\r\nRaw.\r\n`,
      })
      .orThrow()
    setup.proxy.next('drop')
    const again = await client.emails.resend(raw.id).orThrow()
    const ids: string[] = []
    for await (const email of client.emails.list()) ids.push(email.id)
    expect(ids.sort()).toEqual([...batch.data.map(({ id }) => id), raw.id, again.id].sort())
  })

  test('a call with a header that cannot be sent is neither made nor repeated, and its error hides the value', async () => {
    const { client, sender } = await setup.givenClient()
    const first = setup.proxy.passed.length
    const email = emailFrom(sender.domain)
    const { error } = await client.emails.send(email, { idempotencyKey: 'secret\nx-forged: two' })
    expect(error).toMatchObject({ name: 'invalid_request', statusCode: null })
    expect(error?.message).toContain('idempotency-key')
    expect([error?.message, error?.cause].join()).not.toContain('secret')
    expect(setup.proxy.passed.length).toBe(first)
  })

  test('a POST that cannot be repeated is not', async () => {
    const { client } = await setup.givenClient()
    setup.proxy.next('drop')
    const { error } = await client.lists.create({ name: 'Once' })
    expect(error).toMatchObject({ name: 'network_error', statusCode: null })
    expect((await client.lists.list()).data?.data).toHaveLength(1)
  })

  test('a POST is not repeated after 500, because the server may have stored it', async () => {
    const { client } = await setup.givenClient()
    const first = setup.proxy.passed.length
    const body = JSON.stringify({ name: 'internal_server_error', message: 'Unknown.', statusCode: 500 })
    setup.proxy.next({ status: 500, body })
    expect((await client.lists.create({ name: 'Once' })).error).toMatchObject({ statusCode: 500 })
    expect(setup.proxy.passed.length).toBe(first + 1)
  })

  test('a resumption of a site is not repeated: the second would not find the pause', async () => {
    const { client } = await setup.givenClient()
    const first = setup.proxy.passed.length
    setup.proxy.next('drop')
    expect((await client.operator.resumeSite('mx.test')).error).toMatchObject({ name: 'network_error' })
    expect(setup.proxy.passed.length).toBe(first + 1)
  })

  test('a POST with the same effect twice, a GET and a PATCH are repeated', async () => {
    const { client } = await setup.givenClient()
    const list = await client.lists.create({ name: 'First' }).orThrow()
    setup.proxy.next('drop')
    const entry = await client.suppressions.add({ email: 'a@receiver.test' }).orThrow()
    setup.proxy.next('drop')
    expect(await client.suppressions.get(entry.id).orThrow()).toEqual(entry)
    setup.proxy.next('drop')
    expect(await client.lists.update(list.id, { name: 'Second' }).orThrow()).toMatchObject({ name: 'Second' })
  })

  test('a DELETE is not repeated: the second would not find the record', async () => {
    const { client } = await setup.givenClient()
    const list = await client.lists.create({ name: 'Once' }).orThrow()
    const first = setup.proxy.passed.length
    setup.proxy.next({ status: 502 }, 'drop')
    expect((await client.lists.delete(list.id)).error).toMatchObject({ statusCode: 502 })
    expect((await client.lists.delete(list.id)).error).toMatchObject({ name: 'network_error' })
    expect(setup.proxy.passed.length).toBe(first + 2)
    expect((await client.lists.get(list.id)).error).toMatchObject({ statusCode: 404 })
  })

  test('a DELETE with the same response twice is repeated', async () => {
    const { client } = await setup.givenClient()
    const { id } = await client.contacts.create({ email: 'ann@receiver.test' }).orThrow()
    const list = await client.lists.create({ name: 'Left' }).orThrow()
    await client.contacts.addToLists(id, { list_ids: [list.id] }).orThrow()
    const segment = await client.segments.create({ name: 'Left too' }).orThrow()
    await client.contacts.addToSegment(id, segment.id).orThrow()
    const key = await client.apiKeys.create({ name: 'Revoked' }).orThrow()
    const calls = [
      () => client.contacts.removeFromList(id, list.id).orThrow(),
      () => client.contacts.removeFromSegment(id, segment.id).orThrow(),
      () => client.apiKeys.revoke(key.id).orThrow(),
    ]
    for (const call of calls) {
      setup.proxy.next('drop')
      expect(await call()).toMatchObject({ deleted: true })
    }
  })
})

describe('429 and 503', () => {
  const busy = JSON.stringify({ name: 'service_unavailable', message: 'Busy.', statusCode: 503 })
  const limited = JSON.stringify({ name: 'rate_limit_exceeded', message: 'Wait.', statusCode: 429 })

  test('are repeated after Retry-After, even for a POST and a DELETE that cannot run twice', async () => {
    const { client } = await setup.givenClient()
    setup.proxy.next(
      { status: 503, headers: SOON, body: busy },
      { status: 429, headers: { 'retry-after': '1' }, body: limited },
    )
    const startMs = performance.now()
    const { id } = await client.lists.create({ name: 'Patient' }).orThrow()
    expect(performance.now() - startMs).toBeGreaterThan(1_000)
    setup.proxy.next({ status: 503, headers: SOON, body: busy })
    expect(await client.lists.delete(id).orThrow()).toMatchObject({ deleted: true })
  })

  test('are returned if Retry-After is longer than the client waits', async () => {
    const { client } = await setup.givenClient({ retryAfterMaxMs: 30_000 })
    const first = setup.proxy.passed.length
    setup.proxy.next({ status: 429, headers: { 'retry-after': '31' }, body: limited })
    const { error } = await client.account.usage()
    expect(error).toMatchObject({ name: 'rate_limit_exceeded', retryAfterSeconds: 31 })
    expect(setup.proxy.passed.length).toBe(first + 1)
  })

  test('are repeated after the wait of the client itself, however short its retryAfterMaxMs is', async () => {
    const { client } = await setup.givenClient({ retryAfterMaxMs: 0 })
    setup.proxy.next('drop', { status: 503, headers: SOON, body: busy })
    expect((await client.account.usage()).error).toBeNull()
  })

  test('are returned after the last retry', async () => {
    const { client } = await setup.givenClient()
    const first = setup.proxy.passed.length
    setup.proxy.next(...Array(2).fill({ status: 503, headers: SOON, body: busy }))
    expect((await client.account.usage({ retries: 1 })).error).toMatchObject({ statusCode: 503 })
    expect(setup.proxy.passed.length).toBe(first + 2)
  })

  test('a rate limit of the service itself, with the seconds to wait', async () => {
    const { token } = await setup.sendwright.givenTeam({ plan: 'free' })
    const client = new Sendwright({ apiKey: token, baseUrl: setup.proxy.url, retries: 0 })
    const email = emailFrom('unverified.test')
    for (let count = 0; count < 60; count++) await client.emails.send(email)
    const { error } = await client.emails.send(email)
    expect(error).toMatchObject({ name: 'rate_limit_exceeded', statusCode: 429 })
    expect(error?.retryAfterSeconds).toBeGreaterThan(0)
  })
})

/** Starts a server that sends the first line of a download and then nothing. */
async function startSilentServer(): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(200).write('email\n'))
  const { url, close } = await listenHere(server)
  onTestFinished(close)
  return url
}

const textOf = ({ value }: { value?: Uint8Array | undefined }) => new TextDecoder().decode(value)

describe('a download', () => {
  test('fails with a timeout if the server is silent after the start of the response', async () => {
    const client = new Sendwright({ apiKey: 'sw_any', baseUrl: await startSilentServer(), timeoutMs: 500 })
    const reader = (await client.contacts.export().orThrow()).getReader()
    expect(textOf(await reader.read())).toBe('email\n')
    await expect(reader.read()).rejects.toMatchObject({ name: 'timeout', statusCode: null })
  })

  test('ends when its signal aborts after the start of the response', async () => {
    const client = new Sendwright({ apiKey: 'sw_any', baseUrl: await startSilentServer() })
    const end = new AbortController()
    const stream = await client.contacts.export({}, { signal: end.signal }).orThrow()
    const reader = stream.getReader()
    expect(textOf(await reader.read())).toBe('email\n')
    const next = reader.read()
    end.abort()
    await expect(next).rejects.toMatchObject({ name: 'aborted', statusCode: null })
  })

  test('fails with a timeout if the server does not respond, after the last retry', async () => {
    const { client } = await setup.givenClient({ timeoutMs: 500, retries: 1 })
    const first = setup.proxy.passed.length
    setup.proxy.next('hang', 'hang')
    expect((await client.contacts.export()).error).toMatchObject({ name: 'timeout', statusCode: null })
    expect(setup.proxy.passed.length).toBe(first + 2)
  })
})

describe('limits', () => {
  test('a server that does not respond: the timeout ends each attempt', async () => {
    // Long enough for each request to arrive, on a busy machine too.
    const { client } = await setup.givenClient({ timeoutMs: 500, retries: 1 })
    const first = setup.proxy.passed.length
    setup.proxy.next('hang', 'hang')
    const { error } = await client.account.usage()
    expect(error).toMatchObject({ name: 'timeout', statusCode: null })
    expect(setup.proxy.passed.length).toBe(first + 2)
  })

  test('a request that waits for events has the time of its wait in addition, unless the call has a timeout', async () => {
    const { client } = await setup.givenClient({ timeoutMs: 100, retries: 0 })
    setup.proxy.next('hang', 'hang')
    expect((await client.events.list({ wait: 1 })).error).toMatchObject({
      name: 'timeout',
      message: 'The server did not respond within 1100 ms.',
    })
    expect((await client.events.list({ wait: 1 }, { timeoutMs: 200 })).error).toMatchObject({
      message: 'The server did not respond within 200 ms.',
    })
  })

  test('an undefined option of a call counts as absent', async () => {
    // TypeScript allows it without exactOptionalPropertyTypes, and JavaScript always.
    const options = { timeoutMs: undefined, retries: undefined, signal: undefined } as object
    const { client } = await setup.givenClient()
    expect((await client.domains.list({}, options)).error).toBeNull()
    const { client: hurried } = await setup.givenClient({ timeoutMs: 500, retries: 0 })
    setup.proxy.next('hang')
    expect((await hurried.domains.list({}, options)).error).toMatchObject({
      name: 'timeout',
      message: 'The server did not respond within 500 ms.',
    })
  })

  test('an AbortSignal ends a request, and the wait for a retry', async () => {
    const { client } = await setup.givenClient()
    setup.proxy.next('hang')
    const first = await client.account.usage({ signal: AbortSignal.timeout(50) })
    expect(first.error).toMatchObject({ name: 'aborted', statusCode: null })
    setup.proxy.next({ status: 503, headers: { 'retry-after': '50' } })
    const startMs = performance.now()
    const second = await client.account.usage({ signal: AbortSignal.timeout(50) })
    expect(second.error).toMatchObject({ name: 'aborted' })
    expect(performance.now() - startMs).toBeLessThan(10_000)
    expect((await client.account.usage({ signal: AbortSignal.abort() })).error).toMatchObject({
      name: 'aborted',
    })
  })
})
