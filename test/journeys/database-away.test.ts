import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase } from '../support/database.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { findFreePort } from '../support/ports.ts'
import { isFull } from '../support/thorough.ts'
import { SLOW_POLL_MS, until } from './support/children.ts'
import { type Answer, startClients } from './support/clients.ts'
import { createInstallation, postJson, type Sender, START_LIMIT_MS, STARTED } from './support/installation.ts'
import type { JourneyPostgres } from './support/postgres.ts'
import { type RunningServer, startServerOverPostgres } from './support/running-server.ts'
import { compareLedgers, countDeliveries } from './support/verdict.ts'

const OUTAGE_MS = 20_000
const ANSWER_LIMIT_MS = 2000
const RECOVERY_LIMIT_MS = 5000
const DELIVERED_LIMIT_MS = 90_000
/** Clients send at most 400 a second, so that most are sent after the outage. */
const EMAILS = isFull ? 1500 : 600

interface Outage {
  begin(postgres: JourneyPostgres): Promise<void>
  end(postgres: JourneyPostgres): Promise<void>
}

const OUTAGES: Record<string, Outage> = {
  'shut down': {
    begin: (postgres) => postgres.stop(),
    end: (postgres) => postgres.start(),
  },
  'standing still': {
    begin: async (postgres) => postgres.freeze(),
    end: async (postgres) => postgres.thaw(),
  },
}

describe('503 within 2 s while PostgreSQL is unavailable, and 202 within 5 s of its return', () => {
  let running: RunningServer
  let sender: Sender
  beforeAll(async () => {
    running = await startServerOverPostgres()
    sender = await running.installation.createSender('one.sender.test')
  }, START_LIMIT_MS)
  afterAll(() => running.remove())

  for (const [index, [name, outage]] of Object.entries(OUTAGES).entries()) {
    test(`${name} for 20 s`, { timeout: 240_000 }, () => proveOutage(outage, running, sender, index * EMAILS))
  }
})

/** @param first the number of the first email; the results include those of earlier outages */
async function proveOutage(
  outage: Outage,
  { directory, postgres, installation, server }: RunningServer,
  sender: Sender,
  first: number,
): Promise<void> {
  const emails = first + EMAILS
  const clients = startClients(directory, {
    first,
    urls: [installation.url],
    senders: [sender],
    destinations: installation.destinations,
    clients: 8,
    emails: EMAILS,
    everyMs: 20,
  })
  await until('some are accepted', START_LIMIT_MS, () =>
    accepted(clients.answers()).length > first + 100 ? true : null,
  )

  await outage.begin(postgres)
  const awayMs = Date.now()
  await pause(OUTAGE_MS)
  const backMs = Date.now()
  await outage.end(postgres)
  const readyMs = Date.now()
  await clients.process.waitForLine('all accepted', START_LIMIT_MS)

  const during = clients.answers().filter(({ atMs, tookMs }) => atMs - tookMs >= awayMs && atMs <= backMs)
  expect(accepted(during)).toEqual([])
  expect(new Set(during.map(({ status }) => status))).toEqual(new Set([503]))
  expect(during.filter(({ retryAfter }) => !/^\d+$/.test(retryAfter ?? ''))).toEqual([])
  expect(during.length).toBeGreaterThan(20)
  // Requests in progress when the outage began are held to the same limit.
  const met = clients.answers().filter(({ atMs }) => atMs >= awayMs && atMs <= backMs)
  expect(met.filter(({ tookMs }) => tookMs > ANSWER_LIMIT_MS)).toEqual([])
  const [back] = accepted(clients.answers().filter(({ atMs }) => atMs > backMs))
  expect((back?.atMs ?? Number.POSITIVE_INFINITY) - readyMs).toBeLessThan(RECOVERY_LIMIT_MS)

  const areClosed = async () =>
    JSON.stringify(await countDeliveries(postgres.url)) === JSON.stringify({ delivered: emails })
      ? true
      : null
  await until('all deliveries are closed', DELIVERED_LIMIT_MS, areClosed, SLOW_POLL_MS).catch(() => {})
  expect(compareLedgers(clients.answers(), installation.mx, [])).toMatchObject({
    acceptedCount: emails,
    lost: [],
    strange: [],
    duplicates: [],
    ambiguous: [],
  })
  expect(await countDeliveries(postgres.url)).toEqual({ delivered: emails })
  expect(server.hasEnded).toBe(false)
}

test('503 within 2 s when a COMMIT gets no response, then the same id for the same key', {
  timeout: 120_000,
}, async ({ onTestFinished }) => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const proxy = await startDatabaseProxy(database.url)
  onTestFinished(() => proxy.stop())
  const installation = await createInstallation(database.url)
  onTestFinished(() => installation.remove())
  const behind = `http://127.0.0.1:${await findFreePort()}`
  const servers = [
    installation.serve({ roles: 'api' }),
    installation.serve({
      roles: 'api',
      port: Number(new URL(behind).port),
      environment: { DATABASE_URL: proxy.url },
    }),
  ]
  await Promise.all(servers.map((server) => server.waitForLine(STARTED, START_LIMIT_MS)))
  const sender = await installation.createSender('one.sender.test')
  const findIds = () => database.db.query<{ id: string }>('select id from email')
  const email = {
    from: sender.from,
    to: `person@${installation.destinations[0]}`,
    subject: 'Hello',
    text: 'Hello',
  }
  const headers = { 'idempotency-key': 'unanswered' }

  proxy.filterCommits(async () => {
    if ((await findIds()).length === 0) return true
    proxy.hang('database')
    return false
  })
  const sinceMs = performance.now()
  const unanswered = await postJson(behind, '/emails', sender.token, email, headers)
  expect(performance.now() - sinceMs).toBeLessThan(ANSWER_LIMIT_MS)
  expect([unanswered.status, unanswered.headers.get('retry-after')]).toEqual([503, '2'])

  const again = await postJson(installation.url, '/emails', sender.token, email, headers)
  expect([again.status, [{ id: again.json.id }]]).toEqual([202, await findIds()])
})

function accepted(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ status }) => status === 202)
}
