import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAcme, type TestAcme } from '../support/acme-server.ts'
import { createAuthority } from '../support/certificates.ts'
import { findFreePort } from '../support/ports.ts'
import { type SendwrightOptions, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { openSmtp } from '../support/smtp-client.ts'

const WAIT = { timeout: 30_000, interval: 200 }
const stops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

async function start(options: SendwrightOptions): Promise<TestSendwright> {
  const service = await startTestSendwright(options)
  stops.push(() => service.stop())
  return service
}

/** Sends a request over TLS and returns its answer. Rejects if the certificate is not valid for the host. */
async function ask(
  port: number,
  host: string,
  ca: string,
  path: string,
  { body, headers: more = {} }: { body?: string; headers?: Record<string, string> } = {},
) {
  const asked = request({
    port,
    path,
    ca,
    servername: host,
    host: '127.0.0.1',
    agent: false,
    method: body === undefined ? 'GET' : 'POST',
    headers: { host, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more },
  })
  asked.end(body)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const { statusCode: status, headers } = answer
  return { status, headers, text: (await buffer(answer)).toString() }
}

/** Returns whether the certificate of a host is valid. */
const isTrusted = (port: number, host: string, ca: string) =>
  ask(port, host, ca, '/healthz').then(
    ({ status }) => status === 200,
    () => false,
  )

let acme: TestAcme
let service: TestSendwright
beforeAll(async () => {
  acme = await startAcme()
  stops.push(() => acme.close())
  // The certificate authority must know the port before the server asks for the first certificate.
  acme.challengePort = await findFreePort()
  service = await start({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: {
      PORT: String(acme.challengePort),
      PUBLIC_URL: 'https://api.https.test',
      SENDWRIGHT_HOSTNAME: 'mail.https.test',
      SENDWRIGHT_HTTPS_PORT: '0',
      SENDWRIGHT_ACME: acme.directoryUrl,
      SENDWRIGHT_SUBMISSION_PORT: '0',
      SENDWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    },
  })
})

test('200 over TLS with certificates by ACME for the API and the SMTP listeners', async () => {
  await expect.poll(() => isTrusted(service.httpsPort, 'api.https.test', acme.root), WAIT).toBe(true)
  const sender = await service.givenSender()
  expect((await sender.get('/emails')).status).toBe(200)
  const { status, text, headers } = await ask(service.httpsPort, 'api.https.test', acme.root, '/emails')
  expect(headers['strict-transport-security']).toBe('max-age=31536000')
  expect([status, JSON.parse(text).name]).toEqual([401, 'missing_api_key'])

  await expect.poll(() => acme.issued, WAIT).toContain('mail.https.test')
  const readIssuer = async () => {
    const smtp = await openSmtp(service.submissionPort)
    await smtp.hear()
    await smtp.say('EHLO client.test')
    await smtp.say('STARTTLS')
    const secured = await smtp.secure()
    const issuer = (secured.socket as TLSSocket).getPeerX509Certificate()?.issuer
    secured.close()
    return issuer
  }
  await expect.poll(readIssuer, WAIT).toBe('CN=Test ACME root')
})

test('a tool answers a client on the public network over TLS', async () => {
  await expect.poll(() => isTrusted(service.httpsPort, 'api.https.test', acme.root), WAIT).toBe(true)
  const { token } = await service.givenSender()
  const { status, text } = await ask(service.httpsPort, 'api.https.test', acme.root, '/mcp', {
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_emails', arguments: {} },
    }),
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'x-forwarded-for': '203.0.113.5',
    },
  })
  expect(status, text).toBe(200)
  expect(JSON.parse(text).result._meta['sendwright/status']).toBe(200)
})

test('a connection without a host name gets the certificate of the public URL', async () => {
  await expect.poll(() => isTrusted(service.httpsPort, 'api.https.test', acme.root), WAIT).toBe(true)
  const socket = connect({ port: service.httpsPort, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  expect(socket.getPeerX509Certificate()?.checkHost('api.https.test')).toBe('api.https.test')
  socket.destroy()
})

test('404 for a challenge that is not in progress, without TLS', async () => {
  const answer = await fetch(`${service.url}/.well-known/acme-challenge/unknown`)
  expect(answer.status).toBe(404)
})

test('certificates from files, and a restart ends requests in progress over TLS in order', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'https-'))
  stops.push(async () => rmSync(directory, { recursive: true }))
  const authority = await createAuthority()
  const files = { cert: join(directory, 'cert.pem'), key: join(directory, 'key.pem') }
  const { cert, key } = await authority.issue(['files.https.test', 'track.https.test'])
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key)
  const own = await start({
    roles: ['api'],
    environment: {
      PUBLIC_URL: 'https://files.https.test',
      SENDWRIGHT_HTTPS_PORT: '0',
      SENDWRIGHT_TLS_CERT: files.cert,
      SENDWRIGHT_TLS_KEY: files.key,
    },
  })
  expect(await isTrusted(own.httpsPort, 'files.https.test', authority.cert)).toBe(true)
  expect(await isTrusted(own.httpsPort, 'other.https.test', authority.cert)).toBe(false)
  const fieldOf = async (host: string) =>
    (await ask(own.httpsPort, host, authority.cert, '/healthz')).headers['strict-transport-security']
  expect(await fieldOf('files.https.test')).toBe('max-age=31536000')
  // The name of a tracking host belongs to a customer.
  expect(await fieldOf('track.https.test')).toBeUndefined()
  expect((await fetch(`${own.url}/healthz`)).headers.get('strict-transport-security')).toBeNull()
  const idle = connect({ port: own.httpsPort, host: '127.0.0.1', rejectUnauthorized: false })
  await once(idle, 'secureConnect')
  const ended = once(idle, 'close')
  idle.resume()
  await own.restart()
  await ended
  expect(await isTrusted(own.httpsPort, 'files.https.test', authority.cert)).toBe(true)
})
