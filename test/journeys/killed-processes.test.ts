import { expect, onTestFinished, test } from 'vitest'
import { keepRunning } from './support/kept.ts'
import { proveNothingIsLost, victimOf } from './support/killing.ts'
import { givenInstallation } from './support/running-server.ts'

test('nothing is lost while API, delivery and PostgreSQL are killed in turn', {
  timeout: 600_000,
}, async () => {
  const { postgres, installation } = await givenInstallation()
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
      victimOf(postgres),
    ],
    () => postgres.url,
  )
  expect([...api.crashes(), ...delivery.crashes()]).toEqual([])
})
