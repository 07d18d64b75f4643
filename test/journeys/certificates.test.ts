import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
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
import { signalAll } from './support/children.ts'
import { createInstallation, START_LIMIT_MS, STARTED } from './support/installation.ts'
import { findFreePort } from './support/ports.ts'
import { workersOf } from './support/workers.ts'

const API = 'api.workers.test'
const CHALLENGED = 'links.workers.test'
const POLL = { timeout: 60_000, interval: 200 }

test('each of two workers presents the certificates by ACME, and answers both challenges', {
  timeout: 180_000,
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
  await server.waitForLine(STARTED, START_LIMIT_MS)
  await expect.poll(() => workersOf(server).length, POLL).toBe(2)

  /** The status of a request over TLS with a valid certificate, or the reason why there is none. */
  const ask = async () => {
    const asked = request({
      ...{ host: '127.0.0.1', port: acme.tlsPort, path: '/healthz', agent: false },
      ...{ servername: API, ca: acme.root, headers: { host: API } },
    })
    asked.end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
  const health = () => ask().catch((error: Error) => error.message)
  await expect.poll(health, POLL).toBe(200)
  expect(acme.proven).toEqual([`tls-alpn-01 ${API}`])

  // A challenge in progress, as another process stored it.
  const { cert, key } = await (await createAuthority()).issue([CHALLENGED])
  const keys = createSealedKeys(digestSecret(installation.environment.SENDWRIGHT_SECRET_KEY ?? ''))
  const sealedKey = keys.seal(challengeOwner(CHALLENGED), key)
  await saveChallenge(database.db, {
    ...{ token: 'token', host: CHALLENGED, keyAuthorization: 'token.thumbprint' },
    tls: { certificate: cert, sealedKey },
    expiresAt: new Date(Date.now() + 3_600_000),
  })
  for (const stopped of workersOf(server)) {
    signalAll([stopped], 'SIGSTOP')
    // The new certificate is in use in each worker within 10 seconds.
    await expect.poll(health, POLL).toBe(200)
    const answer = await fetch(`${installation.url}/.well-known/acme-challenge/token`)
    expect(await answer.text()).toBe('token.thumbprint')
    expect(await readChallenge(acme.tlsPort)).toEqual(['acme-tls/1', CHALLENGED])
    signalAll([stopped], 'SIGCONT')
  }
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(server.lines.join('\n')).not.toMatch(/PRIVATE KEY/)
})

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
