import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { familyOf, follow, REPOSITORY, until } from './support/children.ts'
import { createInstallation, postJson, START_LIMIT_MS, STARTED, untilReady } from './support/installation.ts'

/** Less than a lease, which lasts 60 s. */
const DELIVERED_LIMIT_MS = 45_000
const LAUNCHER = join(REPOSITORY, 'bin', 'sendwright.mjs')
/** Loaded into the launcher and the server: SIGUSR2 becomes an error that nothing catches. */
const FAULT = `process.on('SIGUSR2', () => setImmediate(() => { throw new Error('planted') }))`

test('an error that nothing catches is logged and ends the server; the next one delivers its mail', {
  timeout: 240_000,
}, async () => {
  const installation = await createInstallation()
  onTestFinished(() => installation.remove())
  const launcher = follow(
    spawn(process.execPath, [LAUNCHER, 'serve'], {
      cwd: installation.directory,
      env: {
        ...installation.environment,
        NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(FAULT)}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  onTestFinished(async () => {
    launcher.signal('SIGTERM')
    await launcher.ended
  })
  await launcher.waitForLine(STARTED, START_LIMIT_MS)
  await untilReady(installation.url)
  const { token, from } = await installation.createSender('one.sender.test')
  // The recipients' server does not reply, so the process still holds the email when it ends.
  await installation.mx.start('hold')
  const to = `ann@${installation.destinations[0]}`
  const sent = await postJson(installation.url, '/emails', token, { from, to, subject: 'Kept', text: 'x' })
  expect(sent.status).toBe(202)
  await until('it is on the wire', START_LIMIT_MS, () => (installation.mx.heldCount() > 0 ? true : null))

  const [, server = -1] = familyOf(launcher.pid)
  process.kill(server, 'SIGUSR2')
  const line = await launcher.waitForLine('"level":"fatal"', START_LIMIT_MS)
  const crashedMs = performance.now()
  await installation.mx.kill()
  await installation.mx.start()
  await launcher.waitForLine('It starts again in 0 ms.', START_LIMIT_MS)
  console.log(`the process ended ${Math.round(performance.now() - crashedMs)} ms after the error`)
  expect(JSON.parse(line)).toMatchObject({ level: 'fatal', err: { message: 'planted' } })

  await until('another server runs', START_LIMIT_MS, () =>
    launcher.lines.filter((each) => each.includes(STARTED)).length === 2 ? true : null,
  )
  expect(familyOf(launcher.pid)[1]).not.toBe(server)
  // The next server releases the lease of the dead one when it settles its journal.
  await until('the email is delivered', DELIVERED_LIMIT_MS, () =>
    installation.mx.stored().some((message) => message.to === to) ? true : null,
  )

  launcher.signal('SIGTERM')
  expect(await launcher.ended).toBe(0)
})
