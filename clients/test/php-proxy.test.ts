import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../../test/support/certificates.ts'
import { listenHere } from '../../test/support/listen-here.ts'
import { LANGUAGES } from './support/interpreters.ts'

const WORKER = join(import.meta.dirname, 'support/worker.php')
const PHP = LANGUAGES.filter(({ language }) => language === 'php')

/** Starts a proxy that connects each tunnel to this port of this machine. Returns its URL. */
async function startTunnel(port: number): Promise<string> {
  const proxy = createServer().on('connect', (_, client) => {
    const server = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\nx-request-id: of the proxy\r\n\r\n')
      server.pipe(client).pipe(server)
    })
    for (const socket of [client, server]) socket.on('error', () => {})
  })
  const { url, close } = await listenHere(proxy)
  onTestFinished(close)
  return url
}

describe.each(PHP)('$title', ({ isAbsent }) => {
  test.skipIf(isAbsent)('a call through a proxy returns the response of the server', async () => {
    const authority = await createAuthority()
    const server = createHttpsServer(await authority.issue(['mail.test']), ({ url }, response) => {
      response.end(JSON.stringify({ url }))
    })
    const { port, close } = await listenHere(server)
    onTestFinished(close)
    const folder = mkdtempSync(join(tmpdir(), 'sendwright-php-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const ca = join(folder, 'ca.pem')
    writeFileSync(ca, authority.cert)

    const env = {
      PATH: process.env.PATH,
      HTTPS_PROXY: await startTunnel(port),
      SENDWRIGHT_URL: 'https://mail.test',
      SENDWRIGHT_API_KEY: 'sw_any',
    }
    const running = promisify(execFile)('php', ['-d', `curl.cainfo=${ca}`, WORKER], { env })
    running.child.stdin?.end(`${JSON.stringify({ code: '$result = $sendwright->account->usage();' })}\n`)
    expect(JSON.parse((await running).stdout)).toEqual({ value: { url: '/usage' } })
  })
})
