import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { until } from './support/children.ts'
import { type Answer, startClients } from './support/clients.ts'
import { createInstallation, makeDirectory, START_LIMIT_MS, STARTED } from './support/installation.ts'
import { createPostgres, type JourneyPostgres } from './support/postgres.ts'
import { compareLedgers, countDeliveries } from './support/verdict.ts'

const OUTAGE_MS = 20_000
const ANSWER_LIMIT_MS = 2000
const RECOVERY_LIMIT_MS = 5000
const DELIVERED_LIMIT_MS = 90_000
const EMAILS = 1200

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

describe.concurrent('503 within 2 s while PostgreSQL is away, and 202 within 5 s of its return', () => {
  for (const [name, outage] of Object.entries(OUTAGES)) {
    test(`${name} for 20 s`, { timeout: 240_000 }, async () => {
      await proveOutage(outage)
    })
  }
})

async function proveOutage(outage: Outage): Promise<void> {
  const directory = makeDirectory()
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const postgres = await createPostgres(directory)
  onTestFinished(() => postgres.stop())
  await postgres.start()
  const installation = await createInstallation(postgres.url)
  onTestFinished(() => installation.remove())
  await installation.mx.start()
  const server = installation.serve()
  await server.said(STARTED, START_LIMIT_MS)
  const clients = startClients(directory, {
    urls: [installation.url],
    senders: [await installation.createSender('one.sender.test')],
    destinations: installation.destinations,
    clients: 8,
    emails: EMAILS,
    everyMs: 150,
  })
  await until('some are accepted', START_LIMIT_MS, () =>
    accepted(clients.answers()).length > 100 ? true : null,
  )

  await outage.begin(postgres)
  const awayMs = Date.now()
  await pause(OUTAGE_MS)
  const backMs = Date.now()
  await outage.end(postgres)
  const readyMs = Date.now()
  await clients.process.said('all accepted', START_LIMIT_MS)

  const during = clients.answers().filter(({ atMs, tookMs }) => atMs - tookMs >= awayMs && atMs <= backMs)
  expect(accepted(during)).toEqual([])
  expect(new Set(during.map(({ status }) => status))).toEqual(new Set([503]))
  expect(during.filter(({ retryAfter }) => !/^\d+$/.test(retryAfter ?? ''))).toEqual([])
  expect(during.length).toBeGreaterThan(20)
  // Those under way when it went away are held to the same limit.
  const met = clients.answers().filter(({ atMs }) => atMs >= awayMs && atMs <= backMs)
  expect(met.filter(({ tookMs }) => tookMs > ANSWER_LIMIT_MS)).toEqual([])
  const [first] = accepted(clients.answers().filter(({ atMs }) => atMs > backMs))
  expect((first?.atMs ?? Number.POSITIVE_INFINITY) - readyMs).toBeLessThan(RECOVERY_LIMIT_MS)

  await until('all deliveries are closed', DELIVERED_LIMIT_MS, async () =>
    JSON.stringify(await countDeliveries(postgres.url)) === JSON.stringify({ delivered: EMAILS })
      ? true
      : null,
  ).catch(() => {})
  expect(compareLedgers(clients.answers(), installation.mx, [])).toMatchObject({
    acceptedCount: EMAILS,
    lost: [],
    strange: [],
    duplicates: [],
    ambiguous: [],
  })
  expect(await countDeliveries(postgres.url)).toEqual({ delivered: EMAILS })
  expect(server.hasEnded).toBe(false)
}

function accepted(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ status }) => status === 202)
}
