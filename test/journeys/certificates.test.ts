import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { saveChallenge } from '../../src/certificates/acme-queries.ts'
import { challengeOwner } from '../../src/certificates/challenges.ts'
import { createSealedKeys } from '../../src/certificates/sealed-keys.ts'
import { digestSecret } from '../../src/lib/crypto/seal.ts'
import { startAcme } from '../support/acme-server.ts'
import { createAuthority } from '../support/certificates.ts'
import { createDatabase } from '../support/database.ts'
import { findFreePort } from '../support/ports.ts'
import { signalAll } from './support/children.ts'
import { createInstallation, START_LIMIT_MS, STARTED } from './support/installation.ts'
import { workersOf } from './support/workers.ts'

const API = 'api.workers.test'
const CHALLENGED = 'links.workers.test'
const POLL = { timeout: 60_000, interval: 200 }

test('each of two workers presents the certificates by ACME, and answers both challenges', {
  timeout: 300_000,
}, async () => {
  const acme = await startAcme()
  onTestFinished(() => acme.close())
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const installation = await createInstallation(database.url)
  onTestFinished(() => installation.remove())
  acme.challengePort = Number(new URL(installation.url).port)
  acme.tlsPort = await findFreePort()
  const server = installation.serve({
    environment: {
      SENDWRIGHT_WORKERS: '2',
      PUBLIC_URL: `https://${API}`,
      SENDWRIGHT_HOSTNAME: 'localhost',
      SENDWRIGHT_HTTPS_PORT: `${acme.tlsPort}`,
      SENDWRIGHT_ACME: acme.directoryUrl,
      SENDWRIGHT_ACME_CHALLENGES: 'tls-alpn-01',
    },
  })
  // A stopped worker would outlive a test that fails.
  onTestFinished(() => signalAll(workersOf(server), 'SIGCONT'))
  await server.waitForLine(STARTED, START_LIMIT_MS)
  await expect.poll(() => workersOf(server).length, POLL).toBe(2)

  // A valid certificate, or the reason why there is none.
  const secured = { host: '127.0.0.1', port: acme.tlsPort, servername: API, ca: acme.root }
  const health = () =>
    read(request({ ...secured, ...ALONE, path: '/healthz', headers: { host: API } })).catch(
      (error: Error) => error.message,
    )
  await expect.poll(health, POLL).toBe('{"status":"ok"}')
  expect(acme.proven).toEqual([`tls-alpn-01 ${API}`])

  // A challenge in progress, as another process stored it.
  const { cert, key } = await (await createAuthority()).issue([CHALLENGED])
  const keys = createSealedKeys(digestSecret(installation.environment.SENDWRIGHT_SECRET_KEY ?? ''))
  const sealedKey = keys.seal(challengeOwner(CHALLENGED), String(key))
  await saveChallenge(database.db, {
    token: 'token',
    host: CHALLENGED,
    keyAuthorization: 'token.thumbprint',
    tls: { certificate: String(cert), sealedKey },
    expiresAt: new Date(Date.now() + 3_600_000),
  })
  for (const stopped of workersOf(server)) {
    signalAll([stopped], 'SIGSTOP')
    // The new certificate is in use in each worker within 10 seconds.
    await expect.poll(health, POLL).toBe('{"status":"ok"}')
    const plain = { host: '127.0.0.1', port: acme.challengePort, path: '/.well-known/acme-challenge/token' }
    expect(await read(requestPlain({ ...plain, ...ALONE }))).toBe('token.thumbprint')
    expect(await readChallenge(acme.tlsPort)).toEqual(['acme-tls/1', CHALLENGED])
    signalAll([stopped], 'SIGCONT')
  }
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(server.lines.join('\n')).not.toMatch(/PRIVATE KEY/)
})

/** A connection of its own, which a stopped worker cannot hold for ever. */
const ALONE = { agent: false, timeout: 5_000 }

/** Sends a request, and returns the body of its answer. */
async function read(asked: ClientRequest): Promise<string> {
  asked.on('timeout', () => asked.destroy(new Error('no answer in time')))
  asked.end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return text(answer)
}

/** Returns the protocol and the host of the certificate that answers TLS-ALPN-01. */
async function readChallenge(port: number) {
  const options = { port, host: '127.0.0.1', servername: CHALLENGED, rejectUnauthorized: false }
  const socket = connect({ ...options, ALPNProtocols: ['acme-tls/1'] })
  await once(socket, 'secureConnect')
  const { alpnProtocol } = socket
  const host = socket.getPeerX509Certificate()?.checkHost(CHALLENGED)
  await text(socket)
  return [alpnProtocol, host]
}
