import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { seedRandom } from '../support/random.ts'
import { isFull, seedOfToday } from '../support/thorough.ts'
import { givenCampaign } from './support/campaign.ts'
import { SLOW_POLL_MS, until } from './support/children.ts'
import { START_LIMIT_MS } from './support/installation.ts'
import { keepRunning } from './support/kept.ts'
import { givenInstallation } from './support/running-server.ts'
import { queryDatabase } from './support/verdict.ts'

const CONTACTS = isFull ? 20_000 : 2_000
const KILLS = isFull ? 30 : 6
/** A receiving server that takes this long for a message makes a campaign last for the kills. */
const MESSAGE_MS = isFull ? 20 : 40

test('a campaign reaches everybody once while its processes and PostgreSQL are killed and it is paused', {
  timeout: 600_000,
}, async () => {
  const { postgres, installation } = await givenInstallation()
  await installation.mx.start(MESSAGE_MS)
  const server = keepRunning(() => installation.serve())
  onTestFinished(() => server.release())
  // Two processes send it at once.
  const other = keepRunning(() => installation.serve({ roles: 'scheduler,deliver' }))
  onTestFinished(() => other.release())
  await Promise.all([server.ready(), other.ready()])
  const ask = await givenCampaign(installation, postgres.url, CONTACTS)
  await ask('sending')

  const random = seedRandom(seedOfToday())
  const victims = [
    () => server.kill(),
    () => other.kill(),
    async () => {
      await postgres.kill()
      await postgres.start()
    },
  ]
  for (let turn = 0; turn < KILLS; turn++) {
    await pause(300 + random() * 1200)
    if (turn % 3 === 1) {
      await server.ready()
      await until('it is paused', START_LIMIT_MS, () => ask('paused').catch(() => null), SLOW_POLL_MS)
      await until('it goes on', START_LIMIT_MS, () => ask('sending').catch(() => null), SLOW_POLL_MS)
    }
    await victims[turn % victims.length]?.()
  }
  const reached = () => new Set(installation.mx.stored().map(({ to }) => to)).size
  expect(reached(), 'too few contacts for so many kills').toBeLessThan(CONTACTS)
  await until(
    'it was sent',
    300_000,
    () =>
      ask(null).then(
        (status) => (status === 'sent' ? true : null),
        () => null,
      ),
    SLOW_POLL_MS,
  )

  const accepted = await queryDatabase<{ count: number; people: number }>(
    postgres.url,
    'select count(*)::int4 as count, count(distinct address)::int4 as people from delivery',
  )
  expect(accepted).toEqual([{ count: CONTACTS, people: CONTACTS }])
  await until('all are delivered', 120_000, () => (reached() === CONTACTS ? true : null), SLOW_POLL_MS)
  expect([...server.crashes(), ...other.crashes()]).toEqual([])
})
