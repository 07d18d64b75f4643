import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clusterDirOf, isRunning, readPostmaster } from '../../src/db/embedded/embedded-cluster.ts'
import { connectionInfo } from '../../src/db/embedded/embedded-postgres.ts'
import { familyOf, signalAll, until } from './support/children.ts'
import { createInstallation, START_LIMIT_MS } from './support/installation.ts'
import { keepRunning } from './support/kept.ts'
import { proveNothingIsLost } from './support/killing.ts'

test('nothing is lost while a single server and its embedded PostgreSQL are killed in turn', {
  timeout: 600_000,
}, async () => {
  const installation = await createInstallation()
  onTestFinished(() => installation.remove())
  const dataDir = join(installation.directory, 'data')
  const clusterDir = clusterDirOf(dataDir)
  await installation.mx.start()
  const server = keepRunning(() => installation.serve())
  onTestFinished(() => server.release())
  await server.ready()
  const senders = [await installation.createSender('one.sender.test')]

  await proveNothingIsLost(
    installation,
    senders,
    [
      { name: 'server', kill: () => server.kill(), delivers: true },
      {
        name: 'embedded PostgreSQL',
        async kill() {
          const postmaster = readPostmaster(clusterDir)
          // The pid file may outlive the process, and another process may reuse the id.
          if (postmaster === null || !isRunning(postmaster, clusterDir)) return null
          const atMs = Date.now()
          signalAll(familyOf(postmaster.pid), 'SIGKILL')
          await until('PostgreSQL is running again', START_LIMIT_MS, () => {
            const now = readPostmaster(clusterDir)
            return now?.ready === true && now.pid !== postmaster.pid ? true : null
          })
          return { atMs, backMs: Date.now() }
        },
        delivers: false,
      },
    ],
    () => connectionInfo(dataDir) ?? '',
  )
  expect(server.crashes()).toEqual([])
})
