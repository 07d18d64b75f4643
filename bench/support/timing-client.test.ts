import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
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
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const client = await startHttpTimingClient((server.address() as AddressInfo).port, '/emails', 'secret')
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
