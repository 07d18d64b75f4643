import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { packClone } from '../../ops/release/copy-dependencies.ts'
import { findFreePort } from '../support/ports.ts'
import { isFull } from '../support/thorough.ts'
import { until } from './support/children.ts'
import { makeDirectory, postJson, START_LIMIT_MS, STARTED } from './support/installation.ts'
import { installTarball, runInstalled } from './support/packed.ts'

const TARBALL_BYTES_MAX = 5_000_000
const TOKEN = 'the-bootstrap-key-of-this-journey-is-32-or-more'

let folder = ''
let tarballBytes = 0

beforeAll(() => {
  folder = makeDirectory()
  const tarball = packClone(folder)
  tarballBytes = statSync(tarball).size
  installTarball(tarball, folder)
  rmSync(tarball)
  return () => rmSync(folder, { recursive: true, force: true })
}, 600_000)

test('the package has the compiled server, the dashboard and the documentation, and no sources or tools', () => {
  expect(tarballBytes).toBeLessThan(TARBALL_BYTES_MAX)
  const root = join(folder, 'node_modules', 'sendwright')
  expect(globSync('**/*.{ts,tsx,map}', { cwd: root })).toEqual([])
  expect(existsSync(join(root, 'web', 'dist', 'index.html'))).toBe(true)
  expect(readFileSync(join(root, 'dist', 'licenses.txt'), 'utf8')).toContain('MIT')
  expect(existsSync(join(root, 'site', 'dist', 'guides', 'sending.html'))).toBe(true)
  const installed = globSync('node_modules/{vite,react,typescript,esbuild,rolldown,metalsmith,marked}', {
    cwd: folder,
  })
  expect(installed).toEqual([])
})

test('--version and --help answer, and name the file of settings of a package', async () => {
  const version = runInstalled(folder, ['--version'])
  expect(await version.ended).toBe(0)
  const { version: expected } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(version.lines).toEqual([expected])
  const help = runInstalled(folder, ['serve', '--help'])
  expect(await help.ended).toBe(0)
  expect(help.lines).toContain('Settings, from the environment or the file sendwright.env:')
})

test('commands over the API run without a server', async () => {
  const help = runInstalled(folder, ['emails', 'list', '--help'])
  expect(await help.ended).toBe(0)
  expect(help.lines.join('\n')).toContain('--status <status>')
  const completion = runInstalled(folder, ['completion', 'bash'])
  expect(await completion.ended).toBe(0)
  expect(completion.lines.join('\n')).toContain('--forward-to')
})

test('starts in an empty folder, captures an email, serves the dashboard and stops; workers do the same', {
  timeout: 240_000,
}, async () => {
  const port = await findFreePort()
  const settings = ['INBOUND', 'SUBMISSION', 'SUBMISSIONS'].map((name) => `SENDWRIGHT_${name}_PORT=off\n`)
  // The file of an application that is in the same folder, which is not Sendwright's.
  writeFileSync(join(folder, '.env'), 'DATABASE_URL=postgres://application@127.0.0.1:1/application\n')
  for (const workers of [1, 2]) {
    writeFileSync(
      join(folder, 'sendwright.env'),
      `PORT=${port}\nSENDWRIGHT_WORKERS=${workers}\nSENDWRIGHT_BOOTSTRAP_KEY=${TOKEN}\n${settings.join('')}`,
    )
    const server = runInstalled(folder, ['serve'])
    onTestFinished(async () => {
      server.signal('SIGTERM')
      await server.ended
    })
    await server.waitForLine(STARTED, START_LIMIT_MS)
    await expectCaptured(`http://127.0.0.1:${port}`)
    if (workers === 1 || isFull) await expectDeveloperCommands(`http://127.0.0.1:${port}`)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  }
  expect(existsSync(join(folder, 'sendwright-data', 'postgres', 'PG_VERSION'))).toBe(true)
})

/** Logs in with a key, sends an email and gets it. The profile is the only setting of these commands. */
async function expectDeveloperCommands(url: string): Promise<void> {
  const run = async (args: readonly string[], input = '') => {
    const command = runInstalled(folder, [...args, '--json'], input)
    const code = await command.ended
    const output = command.lines.join('\n')
    expect(code, output).toBe(0)
    return JSON.parse(output)
  }
  const profile = await run(['login', '--url', url, '--key'], TOKEN)
  expect(profile).toMatchObject({ object: 'profile', url, permission: 'full', current: true })
  const email = ['--from', 'hello@example.com', '--to', 'you@example.org', '--subject', 'From a terminal']
  const { id } = await run(['emails', 'send', ...email], 'It works.')
  expect(await run(['emails', 'get', id])).toMatchObject({
    id,
    subject: 'From a terminal',
    text: 'It works.',
  })
}

async function expectCaptured(url: string): Promise<void> {
  for (const [path, content] of [
    ['/app', '<script'],
    ['/docs/', 'Sendwright documentation'],
    ['/docs/search.json', 'idempotency'],
    ['/llms.txt', 'docs/guides/sending.md'],
  ]) {
    const page = await fetch(url + path)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(content ?? '')])
  }
  const email = { from: 'hello@example.com', to: 'you@example.org', subject: 'Hello', text: 'It works.' }
  const accepted = await postJson(url, '/emails', TOKEN, email)
  expect(accepted.status).toBe(202)
  await until('the email is captured', START_LIMIT_MS, async () => {
    const reply = await fetch(`${url}/captured`, { headers: { authorization: `Bearer ${TOKEN}` } })
    const { data } = (await reply.json()) as { data: { email_id: string }[] }
    return data.some((row) => row.email_id === accepted.json.id) ? true : null
  })
}
