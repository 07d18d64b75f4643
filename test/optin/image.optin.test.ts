import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { until } from '../journeys/support/children.ts'
import { buildRoot, checkHealth, pidOf, type Root, request } from './support/root.ts'

const isPossible =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  ['unshare', 'nsenter', 'setpriv', 'ip'].every((name) => spawnSync(name, ['--version']).error === undefined)
if (!isPossible) process.stderr.write('The image needs Linux, root, util-linux and iproute2.\n')

const START_LIMIT_MS = 90_000
const TOKEN = 'the-bootstrap-key-of-this-image-is-32-or-more'
let root: Root | null = null
beforeAll(() => {
  if (isPossible) root = buildRoot()
})
afterAll(() => root?.remove())

/** Starts the server, and returns it with its process id once it is ready. */
async function start(image: Root) {
  const child = image.run(['serve'], { SENDWRIGHT_BOOTSTRAP_KEY: TOKEN })
  await child.waitForLine('"msg":"started"', START_LIMIT_MS)
  const pid = pidOf(child)
  onTestFinished(async () => {
    if (child.hasEnded) return
    process.kill(pid, 'SIGTERM')
    await child.ended
  })
  return { child, pid }
}

test.skipIf(!isPossible)(
  'the first start has no network, a read-only root and no privileges; it captures an email and drains',
  async () => {
    const image = root as Root
    const { child, pid } = await start(image)
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m)
    expect(status).toMatch(/^CapEff:\t0+$/m)
    expect(statSync(join(image.data, 'postgres')).uid).toBe(10_001)
    expect(checkHealth(pid)).toBe(0)

    const email = { from: 'hello@example.com', to: 'you@example.org', subject: 'Hello', text: 'It works.' }
    const { id } = request(pid, '/emails', TOKEN, email) as { id: string }
    await until('the email is captured', START_LIMIT_MS, () => {
      const { data } = request(pid, '/captured', TOKEN) as { data: { email_id: string }[] }
      return data.some((row) => row.email_id === id) ? true : null
    })
    process.kill(pid, 'SIGTERM')
    expect(await child.ended, child.lines.join('\n')).toBe(0)
    expect(readdirSync(join(image.data, 'journals'))).toEqual([])
  },
)

test.skipIf(!isPossible)('the health check fails while the server does not answer', async () => {
  const { child, pid } = await start(root as Root)
  process.kill(pid, 'SIGSTOP')
  expect(checkHealth(pid)).toBe(1)
  process.kill(pid, 'SIGCONT')
  process.kill(pid, 'SIGTERM')
  expect(await child.ended).toBe(0)
})

test.skipIf(!isPossible)('the volume of a newer PostgreSQL is refused in words', async () => {
  const image = root as Root
  writeFileSync(join(image.data, 'postgres', 'PG_VERSION'), '19\n')
  const child = image.run(['serve'])
  expect(await child.ended).toBe(1)
  expect(child.lines).toEqual([
    expect.stringMatching(
      /^The database in \/data\/postgres was created by PostgreSQL 19, but this Sendwright/,
    ),
  ])
})
