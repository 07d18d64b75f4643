import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthority } from '../../../test/support/certificates.ts'
import { startDns, type TestDns } from '../../../test/support/dns.ts'
import { type ListeningServer, listenHere } from '../../../test/support/listen-here.ts'
import { createGuard } from '../../lib/net/egress-guard.ts'
import { createAskDns } from './ask-dns.ts'
import { checkPublicUrl } from './check-public-url.ts'

const ordinaryCas = getCACertificates('default')
let dns: TestDns
let server: ListeningServer
let port: number
let answer = { status: 200, headers: {}, body: '{"status":"ok"}' }
let resetsAfterHead = false
const connections: Socket[] = []
const hosts: string[] = []

beforeAll(async () => {
  const authority = await createAuthority()
  setDefaultCACertificates([...ordinaryCas, authority.cert])
  dns = await startDns({
    'api.good.test': { a: ['127.0.0.1'] },
    'other.good.test': { a: ['127.0.0.1'] },
    'private.good.test': { a: ['10.0.0.5'] },
    'broken.test': { fail: 'servfail' },
  })
  const https = createServer(await authority.issue(['api.good.test']), (request, response) => {
    hosts.push(request.headers.host ?? '')
    response.writeHead(answer.status, answer.headers)
    if (resetsAfterHead) return response.write('{', () => connections.at(-1)?.resetAndDestroy())
    response.end(answer.body)
  })
  // Below TLS, which cannot reset a connection.
  https.on('connection', (connection: Socket) => connections.push(connection))
  server = await listenHere(https)
  port = server.port
})
afterAll(async () => {
  setDefaultCACertificates(ordinaryCas)
  await server.close()
  await dns.close()
})

const check = (publicUrl: string, allowPrivate = true) =>
  checkPublicUrl(createAskDns([dns.server]), {
    publicUrl,
    guard: createGuard({ allowPrivate }),
    addresses: ['192.0.2.25'],
  })

test('ok when the URL answers with a valid certificate', async () => {
  expect(await check(`https://api.good.test:${port}`)).toMatchObject({
    level: 'ok',
    found: 'It answers with a valid certificate at 127.0.0.1.',
  })
  expect(hosts.at(-1)).toBe(`api.good.test:${port}`)
})

test.each([
  ['http://localhost:8080', 'Others cannot reach this name.', 'SENDWRIGHT_ACME'],
  ['http://api.good.test', 'It has no TLS: keys and sessions cross the network in clear text.', 'https'],
  ['https://gone.test', 'gone.test has no A or AAAA record.', 'Publish: gone.test. A 192.0.2.25'],
  ['https://api.good.test:1', 'No connection to 127.0.0.1, port 1: ECONNREFUSED.', 'firewall'],
])('problem for %s: %s', async (url, found, advice) => {
  expect(await check(url)).toMatchObject({ level: 'problem', found, advice: expect.stringContaining(advice) })
})

test('problem for a certificate of another name', async () => {
  const finding = await check(`https://other.good.test:${port}`)
  expect(finding.level).toBe('problem')
  expect(finding.found).toBe('The certificate at 127.0.0.1 is not valid: ERR_TLS_CERT_ALTNAME_INVALID.')
})

test('problem for a private address, which is not connected to', async () => {
  expect(await check('https://private.good.test', false)).toMatchObject({
    level: 'problem',
    found: 'private.good.test resolves to 10.0.0.5, a private address.',
  })
  const before = hosts.length
  expect((await check(`https://api.good.test:${port}`, false)).found).toContain('a loopback address')
  expect(hosts).toHaveLength(before)
})

test('problem for another server, for a redirect, which is not followed, and for an endless answer', async () => {
  const before = hosts.length
  answer = { status: 302, headers: { location: `https://api.good.test:${port}/healthz` }, body: '' }
  expect((await check(`https://api.good.test:${port}`)).found).toContain('the status 302')
  answer = { status: 200, headers: {}, body: '{"status":"ok"}'.repeat(100_000) }
  expect((await check(`https://api.good.test:${port}`)).found).toContain('not as this server does')
  expect(hosts).toHaveLength(before + 2)
})

// The error that the reset also gives to the request must have a listener: the run of Vitest fails otherwise, and a server ends.
test('problem when the connection is reset after the head of the answer', async () => {
  resetsAfterHead = true
  const finding = await check(`https://api.good.test:${port}`)
  resetsAfterHead = false
  expect(finding).toMatchObject({
    level: 'problem',
    found: expect.stringMatching(/^No connection to 127\.0\.0\.1, port \d+: ECONNRESET\.$/),
  })
})

test('warning when DNS does not answer', async () => {
  expect(await check('https://broken.test')).toMatchObject({
    level: 'warning',
    found: 'The DNS look-up failed.',
  })
})
