import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectionInfo } from '../../src/db/embedded/embedded-postgres.ts'
import { givenRules } from '../support/rules.ts'
import { isFull } from '../support/thorough.ts'
import { until } from './support/children.ts'
import { startClients } from './support/clients.ts'
import { createInstallation, START_LIMIT_MS, STARTED } from './support/installation.ts'
import { compareLedgers, countDeliveries, queryDatabase } from './support/verdict.ts'

const EMAILS = isFull ? 600 : 300
/** Probes of the site while it is down. */
const PROBES_MIN = 4
const BACK_LIMIT_MS = 30_000

/** Every failed attempt, in the order of their start. */
const FAILED_ATTEMPTS = "select started_at from attempt where outcome = 'deferred' order by started_at"

test('every email is delivered when a destination is back, and those that waited use no attempt', {
  timeout: 240_000,
}, async () => {
  const installation = await createInstallation()
  onTestFinished(() => installation.remove())
  const rules = givenRules({ probes: ['1s', '2s'] })
  const server = installation.serve({
    environment: { SENDWRIGHT_RETRY_SCHEDULE: '1s,2s,2s,2s', SENDWRIGHT_RULES_FILE: rules.path },
  })
  await server.waitForLine(STARTED, START_LIMIT_MS)
  const databaseUrl = connectionInfo(join(installation.directory, 'data')) as string
  const clients = startClients(installation.directory, {
    urls: [installation.url],
    senders: [await installation.createSender('one.sender.test')],
    destinations: installation.destinations,
    clients: 8,
    emails: EMAILS,
    everyMs: 0,
  })
  await clients.process.waitForLine('all accepted', START_LIMIT_MS)
  const failed = await until('the site is probed a few times', START_LIMIT_MS, async () => {
    const attempts = await queryDatabase<{ started_at: Date }>(databaseUrl, FAILED_ATTEMPTS)
    const seconds = new Set(attempts.map(({ started_at }) => Math.floor(started_at.getTime() / 1000)))
    return seconds.size >= PROBES_MIN ? attempts : null
  })
  // The first connections fail together. After that, one delivery at a time probes the site.
  expect(failed.length).toBeLessThan(40)
  const waiting = await countDeliveries(databaseUrl)
  expect((waiting.queued ?? 0) + (waiting.delivery_delayed ?? 0)).toBe(EMAILS)

  await installation.mx.start()
  const backMs = performance.now()
  await until('all are delivered', BACK_LIMIT_MS, async () =>
    (await countDeliveries(databaseUrl)).delivered === EMAILS ? true : null,
  ).catch(() => {})
  console.log(
    `${failed.length} failed attempts; all delivered ${performance.now() - backMs} ms after its return`,
  )
  expect(await countDeliveries(databaseUrl)).toEqual({ delivered: EMAILS })
  expect(compareLedgers(clients.answers(), installation.mx, [])).toMatchObject({
    acceptedCount: EMAILS,
    lost: [],
    strange: [],
    duplicates: [],
    ambiguous: [],
  })
  const [attempts] = await queryDatabase<{ once: number; most: number }>(
    databaseUrl,
    'select count(*) filter (where attempts = 1)::int as once, max(attempts)::int as most from delivery',
  )
  expect(attempts?.once).toBeGreaterThan(EMAILS - 40)
  expect(attempts?.most).toBeLessThan(8)
})
