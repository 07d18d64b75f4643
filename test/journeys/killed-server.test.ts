import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectionInfo } from '../../src/db/embedded/embedded-postgres.ts'
import { createInstallation } from './support/installation.ts'
import { keepRunning } from './support/kept.ts'
import { embeddedVictim, proveNothingIsLost } from './support/killing.ts'

test('nothing is lost while a single server and its embedded PostgreSQL are killed in turn', {
  timeout: 600_000,
}, async () => {
  const installation = await createInstallation()
  onTestFinished(() => installation.remove())
  const dataDir = join(installation.directory, 'data')
  await installation.mx.start()
  const server = keepRunning(() => installation.serve())
  onTestFinished(() => server.release())
  await server.ready()
  const senders = [await installation.createSender('one.sender.test')]

  await proveNothingIsLost(
    installation,
    senders,
    [{ name: 'server', kill: () => server.kill(), delivers: true }, embeddedVictim(dataDir, server.current)],
    () => connectionInfo(dataDir) ?? '',
  )
  expect(server.crashes()).toEqual([])
})
