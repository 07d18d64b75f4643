import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listenHere } from '../../test/support/listen-here.ts'
import { startHttpTimingClient } from './timing-client.ts'

/** Answers each request with its body, in two pieces. */
async function startEcho(statusOf: (body: string) => number) {
  const requests: { url: string | undefined; key: string | undefined; body: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    requests.push({ url: request.url, key: request.headers.authorization, body })
    response.writeHead(statusOf(body), { 'content-length': 4 })
    response.write('ab')
    setImmediate(() => response.end('cd'))
  })
  const { port, close } = await listenHere(server)
  onTestFinished(close)
  const client = await startHttpTimingClient(port, '/emails', 'secret')
  onTestFinished(() => client.close())
  return { client, requests }
}

test('one message after another over one connection, timed until the whole answer', async () => {
  const { client, requests } = await startEcho(() => 202)
  for (const body of ['{"to":"é"}', '{}']) {
    const { startedAt, acceptedAt } = await client.send(body)
    expect(acceptedAt).toBeGreaterThan(startedAt)
  }
  expect(requests).toEqual([
    { url: '/emails', key: 'Bearer secret', body: '{"to":"é"}' },
    { url: '/emails', key: 'Bearer secret', body: '{}' },
  ])
})

test('a refusal is an error with the answer', async () => {
  const { client } = await startEcho(() => 429)
  await expect(client.send('{}')).rejects.toThrow('POST /emails: HTTP/1.1 429')
})
