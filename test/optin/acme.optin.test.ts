import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { createAuthority } from '../support/certificates.ts'
import { startDns } from '../support/dns.ts'
import { findFreePort } from '../support/ports.ts'
import { startTestSendwright } from '../support/sendwright.ts'

/** Debian's package `pebble`, the ACME test server of Let's Encrypt. It rejects some nonces, as real servers do. */
const isPossible = spawnSync('pebble', ['-version']).error === undefined
if (!isPossible) process.stderr.write('This test needs pebble in PATH (apt-get install pebble).\n')

const HOST = 'api.pebble.test'
const WAIT = { timeout: 60_000, interval: 500 }
const ordinaryCas = getCACertificates('default')
const stops: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
  setDefaultCACertificates(ordinaryCas)
})

async function read(url: string, options: { ca?: string; servername?: string } = {}) {
  const asked = get(url, { ...options, agent: false })
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, text: await text(answer) }
}

/** Starts pebble, which asks for challenges on these ports. */
async function startPebble({ httpPort, tlsPort }: { httpPort: number; tlsPort: number }) {
  const directory = mkdtempSync(join(tmpdir(), 'pebble-'))
  const authority = await createAuthority()
  const { cert, key } = await authority.issue(['localhost'])
  const [port, managementPort] = [await findFreePort(), await findFreePort()]
  const dns = await startDns({ [HOST]: { a: ['127.0.0.1'] } })
  const files = { certificate: join(directory, 'cert.pem'), privateKey: join(directory, 'key.pem') }
  writeFileSync(files.certificate, cert)
  writeFileSync(files.privateKey, key)
  const pebble = {
    ...files,
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    httpPort,
    tlsPort,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  }
  const config = join(directory, 'pebble.json')
  writeFileSync(config, JSON.stringify({ pebble }))
  const child = spawn('pebble', ['-config', config, '-dnsserver', dns.server], {
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1' },
    stdio: 'ignore',
  })
  stops.push(async () => {
    child.kill()
    await once(child, 'exit')
    await dns.close()
    rmSync(directory, { recursive: true })
  })
  setDefaultCACertificates([...ordinaryCas, authority.cert])
  const management = `https://localhost:${managementPort}`
  const readRoot = () =>
    read(`${management}/roots/0`).then(
      (root) => root.text,
      () => null,
    )
  await expect.poll(readRoot, WAIT).toContain('BEGIN CERTIFICATE')
  return { directoryUrl: `https://localhost:${port}/dir`, root: (await readRoot()) ?? '' }
}

test.skipIf(!isPossible).each(['http-01', 'tls-alpn-01'])(
  '200 over TLS with a certificate of pebble by %s',
  async (challenge) => {
    const [port, tlsPort] = [await findFreePort(), await findFreePort()]
    const { directoryUrl, root } = await startPebble({ httpPort: port, tlsPort })
    const service = await startTestSendwright({
      environment: {
        PORT: String(port),
        PUBLIC_URL: `https://${HOST}`,
        SENDWRIGHT_HOSTNAME: 'localhost',
        SENDWRIGHT_HTTPS_PORT: String(tlsPort),
        SENDWRIGHT_ACME: directoryUrl,
        SENDWRIGHT_ACME_CHALLENGES: challenge,
      },
    })
    stops.push(() => service.stop())
    const health = () =>
      read(`https://127.0.0.1:${service.httpsPort}/healthz`, { ca: root, servername: HOST }).then(
        ({ status }) => status,
        (error: Error) => error.message,
      )
    await expect.poll(health, WAIT).toBe(200)
  },
)
