import { expect, onTestFinished, test } from 'vitest'
import { keepRunning } from '../journeys/support/kept.ts'
import { type KillingLoad, proveNothingIsLost, victimOf } from '../journeys/support/killing.ts'
import { givenInstallation } from '../journeys/support/running-server.ts'

/**
 * As many emails as two cores send in some minutes, with a kill every half minute. Killing a sender causes duplicates
 * of messages in transit, at most one per connection, and on busy cores of unrecorded ones.
 */
const LOAD: KillingLoad = {
  emails: 50_000,
  clients: 24,
  everyMs: 80,
  betweenKillsMs: { min: 20_000, max: 30_000 },
  limitMs: 1_200_000,
  killForMs: 1_200_000,
  killsMin: 2,
  copiesMax: 50,
}

test('50,000 emails: nothing is lost and at most 50 are duplicated while API, delivery and PostgreSQL are killed', {
  timeout: 1_500_000,
}, async () => {
  // Since the machine itself is not killed, fsync only affects the duration; it is on nevertheless.
  const { postgres, installation } = await givenInstallation({ settings: ['fsync=on'] })
  await installation.mx.start()
  const api = keepRunning(() => installation.serve({ roles: 'api' }))
  onTestFinished(() => api.release())
  const delivery = keepRunning(() => installation.serve({ roles: 'deliver,scheduler' }))
  onTestFinished(() => delivery.release())
  await Promise.all([api.ready(), delivery.ready()])
  const domains = ['one', 'two', 'three', 'four'].map((name) => `${name}.sender.test`)
  const senders = await Promise.all(domains.map((domain) => installation.createSender(domain)))

  const victims = [
    { name: 'API', kill: () => api.kill(), delivers: false },
    { name: 'delivery', kill: () => delivery.kill(), delivers: true },
    victimOf(postgres),
  ]
  await proveNothingIsLost(installation, senders, victims, () => postgres.url, LOAD)
  expect([...api.crashes(), ...delivery.crashes()]).toEqual([])
})
