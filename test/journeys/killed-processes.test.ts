import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createInstallation, makeDirectory } from './support/installation.ts'
import { keepRunning } from './support/kept.ts'
import { proveNothingIsLost } from './support/killing.ts'
import { createPostgres } from './support/postgres.ts'

test('nothing is lost while API, delivery and PostgreSQL are killed in turn', {
  timeout: 600_000,
}, async () => {
  const directory = makeDirectory()
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const postgres = await createPostgres(directory)
  onTestFinished(() => postgres.stop())
  await postgres.start()
  const installation = await createInstallation(postgres.url)
  onTestFinished(() => installation.remove())
  await installation.mx.start()
  const api = keepRunning(() => installation.serve({ roles: 'api' }))
  onTestFinished(() => api.release())
  const delivery = keepRunning(() => installation.serve({ roles: 'deliver,scheduler' }))
  onTestFinished(() => delivery.release())
  await Promise.all([api.ready(), delivery.ready()])
  const senders = await Promise.all(
    ['one.sender.test', 'two.sender.test'].map((domain) => installation.createSender(domain)),
  )

  await proveNothingIsLost(
    installation,
    senders,
    [
      { name: 'API', kill: () => api.kill(), delivers: false },
      { name: 'delivery', kill: () => delivery.kill(), delivers: true },
      {
        name: 'PostgreSQL',
        async kill() {
          const atMs = Date.now()
          await postgres.kill()
          await postgres.start()
          return { atMs, backMs: Date.now() }
        },
        delivers: false,
      },
    ],
    () => postgres.url,
  )
  expect([...api.crashes(), ...delivery.crashes()]).toEqual([])
})
