import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SERVER } from '../../bin/built-server.mjs'
import { findFreePort } from '../support/ports.ts'
import { type Child, runScript, until } from './support/children.ts'
import { makeDirectory, START_LIMIT_MS, STARTED } from './support/installation.ts'

/** The first start takes 3 s on a quiet machine, but this one may be running other tests. */
const hasCurl = spawnSync('curl', ['--version']).error === undefined

/**
 * Creates an empty directory with a space in its name, and finds a port; `serve` starts the server there with default
 * settings.
 */
async function givenNewcomer() {
  const directory = makeDirectory()
  const dataDir = join(directory, 'my data')
  const port = await findFreePort()
  const servers: Child[] = []
  onTestFinished(async () => {
    for (const server of servers) {
      server.signal('SIGTERM')
      await server.ended
    }
    rmSync(directory, { recursive: true, force: true })
  })
  return {
    port,
    serve(ownPort = port): Child {
      const env = { PATH: process.env.PATH ?? '', PORT: `${ownPort}`, SENDWRIGHT_DATA_DIR: dataDir }
      const server = runScript(SERVER, ['serve'], { env, cwd: directory })
      servers.push(server)
      return server
    },
  }
}

/** Returns the output lines that are not log lines. */
const outputOf = (server: Child) => server.lines.filter((line) => !line.startsWith('{"level"'))

test('the first successful start shows a key and a working curl command, after a failed start on a port in use', {
  timeout: 180_000,
}, async () => {
  const newcomer = await givenNewcomer()
  const other = createServer().listen(newcomer.port, '127.0.0.1')
  await once(other, 'listening')
  const refused = newcomer.serve()
  expect(await refused.ended).toBe(1)
  expect(outputOf(refused)).toEqual([`Port ${newcomer.port} is in use; set PORT to another one.`])
  other.close()

  const server = newcomer.serve()
  await server.waitForLine(STARTED, START_LIMIT_MS)
  const token = /sw_\w{40}/.exec(await server.waitForLine('Your API key', START_LIMIT_MS))?.[0]
  await server.waitForLine('-d ', START_LIMIT_MS)
  const first = server.lines.findIndex((line) => line.includes('curl '))
  const command = server.lines.slice(first, first + 4).join('\n')
  expect(command).toContain(token)
  if (!hasCurl) return
  const { id } = JSON.parse(
    execFileSync('sh', ['-c', command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  await until('the message is captured', START_LIMIT_MS, async () => {
    const reply = await fetch(`http://127.0.0.1:${newcomer.port}/captured`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { data } = (await reply.json()) as { data: { email_id: string; envelope_to: string }[] }
    return data.some((row) => row.email_id === id && row.envelope_to === 'you@example.org') ? true : null
  })
})

test('rejected in one sentence while another server holds the data directory; a restart creates no new key', {
  timeout: 180_000,
}, async () => {
  const newcomer = await givenNewcomer()
  const server = newcomer.serve()
  await server.waitForLine(STARTED, START_LIMIT_MS)
  const second = newcomer.serve(await findFreePort())
  expect(await second.ended).toBe(1)
  expect(outputOf(second)).toEqual([
    expect.stringMatching(/^The data directory .*my data is in use by another Sendwright/),
  ])

  server.signal('SIGINT')
  expect(await server.ended).toBe(0)
  const again = newcomer.serve()
  await again.waitForLine(STARTED, START_LIMIT_MS)
  await again.waitForLine('Create another API key', START_LIMIT_MS)
  expect(again.lines.join('\n')).not.toMatch(/sw_\w{40}/)
})
