import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Child, REPOSITORY, runScript, until } from './support/children.ts'
import { makeDirectory, START_LIMIT_MS, STARTED } from './support/installation.ts'
import { findFreePort } from './support/ports.ts'

const MAIN = join(REPOSITORY, 'src', 'main.ts')
/** The promise is 3 s on a quiet machine; this one may be running other tests. */
const hasCurl = spawnSync('curl', ['--version']).error === undefined

/** An empty directory with a space in its name, and a port; `serve` starts the server there with defaults alone. */
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
      const server = runScript(MAIN, ['serve'], { env, cwd: directory })
      servers.push(server)
      return server
    },
  }
}

/** What it said that is no line of the log. */
const wordsOf = (server: Child) => server.lines.filter((line) => !line.startsWith('{"level"'))

test('a key and a curl line that works are shown by the first start that succeeds, after one on a busy port', {
  timeout: 180_000,
}, async () => {
  const newcomer = await givenNewcomer()
  const other = createServer().listen(newcomer.port, '127.0.0.1')
  await once(other, 'listening')
  const refused = newcomer.serve()
  expect(await refused.ended).toBe(1)
  expect(wordsOf(refused)).toEqual([`Port ${newcomer.port} is in use; set PORT to another one.`])
  other.close()

  const server = newcomer.serve()
  await server.said(STARTED, START_LIMIT_MS)
  const token = /sw_\w{40}/.exec(await server.said('Your API key', START_LIMIT_MS))?.[0]
  await server.said('-d ', START_LIMIT_MS)
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

test('refused in one sentence while another server has the data directory; up again without a new key', {
  timeout: 180_000,
}, async () => {
  const newcomer = await givenNewcomer()
  const server = newcomer.serve()
  await server.said(STARTED, START_LIMIT_MS)
  const second = newcomer.serve(await findFreePort())
  expect(await second.ended).toBe(1)
  expect(wordsOf(second)).toEqual([
    expect.stringMatching(/^The data directory .*my data is in use by another Sendwright/),
  ])

  server.signal('SIGINT')
  expect(await server.ended).toBe(0)
  const again = newcomer.serve()
  await again.said(STARTED, START_LIMIT_MS)
  await again.said('Another API key', START_LIMIT_MS)
  expect(again.lines.join('\n')).not.toMatch(/sw_\w{40}/)
})
