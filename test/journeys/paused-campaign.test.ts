import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seedRandom } from '../support/random.ts'
import { isFull, seedOfToday } from '../support/thorough.ts'
import { givenCampaign } from './support/campaign.ts'
import { SLOW_POLL_MS, until } from './support/children.ts'
import { START_LIMIT_MS, STARTED } from './support/installation.ts'
import { givenInstallation } from './support/running-server.ts'
import { queryDatabase } from './support/verdict.ts'

const CONTACTS = isFull ? 20_000 : 2600
const PAUSES = isFull ? 50 : 6
/** How long the receiving server takes for a message. What it gets after a pause began to leave so much before its end. */
const MESSAGE_MS = 40
/** Nothing leaves this long after the answer to a pause. */
const SILENT_AFTER_MS = 1000
/** The share of pauses that last longer than that. */
const LONG_SHARE = 0.4
/** The least emails that leave between two pauses. */
const BETWEEN_COUNT = 20

test('a campaign reaches everybody once through random pauses, each of which is silent after a second', {
  timeout: 600_000,
}, async () => {
  const { postgres, installation } = await givenInstallation()
  const { mx } = installation
  await mx.start(MESSAGE_MS)
  const server = installation.serve()
  await server.waitForLine(STARTED, START_LIMIT_MS)
  const ask = await givenCampaign(installation, postgres.url, CONTACTS)

  const random = seedRandom(seedOfToday())
  const silences: { fromMs: number; toMs: number }[] = []
  for (let turn = 0; turn < PAUSES; turn++) {
    const before = mx.stored().length
    expect(before, 'too few contacts for so many pauses').toBeLessThan(CONTACTS - BETWEEN_COUNT)
    await ask('sending')
    await until('it goes on', START_LIMIT_MS, () => mx.stored().length >= before + BETWEEN_COUNT || null)
    await pause(random() * 150)
    expect(await ask('paused')).toBe('paused')
    const fromMs = Date.now() + SILENT_AFTER_MS
    await pause(random() < LONG_SHARE ? SILENT_AFTER_MS + random() * 500 : random() * 300)
    silences.push({ fromMs, toMs: Date.now() })
  }
  await ask('sending')
  await until('it was sent', 300_000, async () => ((await ask(null)) === 'sent' ? true : null), SLOW_POLL_MS)
  const people = () => new Set(mx.stored().map(({ to }) => to)).size
  await until('all are delivered', 120_000, () => (people() === CONTACTS ? true : null), SLOW_POLL_MS)

  const accepted = await queryDatabase<{ count: number; people: number }>(
    postgres.url,
    'select count(*)::int4 as count, count(distinct address)::int4 as people from delivery',
  )
  expect(accepted).toEqual([{ count: CONTACTS, people: CONTACTS }])
  const stored = mx.stored()
  expect(stored.length).toBe(CONTACTS)
  const broken = stored.filter(({ atMs }) =>
    silences.some(({ fromMs, toMs }) => atMs - MESSAGE_MS > fromMs && atMs - MESSAGE_MS < toMs),
  )
  expect(broken).toEqual([])
  expect(silences.filter(({ fromMs, toMs }) => toMs > fromMs).length).toBeGreaterThan(0)
})
