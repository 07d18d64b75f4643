import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../src/db/db.ts'
import { isFull } from '../support/thorough.ts'
import { familyOf, SLOW_POLL_MS, signalAll, until } from './support/children.ts'
import { type Answer, startClients } from './support/clients.ts'
import { postJson, type Sender, START_LIMIT_MS } from './support/installation.ts'
import type { JourneyPostgres } from './support/postgres.ts'
import { type RunningServer, startServerOverPostgres } from './support/running-server.ts'
import { compareLedgers, countDeliveries } from './support/verdict.ts'

const STARVED_MS = 10_000
const RECOVERY_LIMIT_MS = 2000
const DELIVERED_LIMIT_MS = 90_000
/** Clients send 240 a second, so that most are sent after the stall. */
const EMAILS = isFull ? 1500 : 600
const CLIENTS = 24
/** Connections of all pools and listeners of one process; PostgreSQL allows 60. */
const CONNECTIONS_MAX = 40

interface Stall {
  server: number
  postgres: JourneyPostgres
  /** Sends one request that writes to `suppression`. */
  suppress(): Promise<unknown>
}

/** Each stall runs for `STARVED_MS` and then releases everything. */
const STALLS: Record<string, (stall: Stall) => Promise<void>> = {
  'both processes get a fiftieth of the processor': (stall) =>
    ration(stall, true, { periodMs: 200, runMs: 4 }),
  'PostgreSQL responds briefly every three seconds': (stall) =>
    ration(stall, false, { periodMs: 3000, runMs: 100 }),
  'a lock keeps every request waiting': async ({ postgres, suppress }) => {
    const db = openDb(postgres.url, { connectionsMax: 1, timeoutMs: 60_000, name: 'lock' })
    await db.transaction(async (tx) => {
      await tx.query('lock table suppression in access exclusive mode')
      const endMs = performance.now() + STARVED_MS
      const ask = async () => {
        while (performance.now() < endMs) await suppress().then(() => pause(50))
      }
      await Promise.all(Array.from({ length: CLIENTS }, ask))
    })
    await db.close()
  },
}

/** Lets the processes run for `runMs` of every `periodMs`. */
async function ration(
  { server, postgres }: Stall,
  alsoServer: boolean,
  { periodMs, runMs }: { periodMs: number; runMs: number },
): Promise<void> {
  const endMs = performance.now() + STARVED_MS
  while (performance.now() < endMs) {
    const stopped = alsoServer ? familyOf(server) : []
    postgres.freeze()
    signalAll(stopped, 'SIGSTOP')
    await pause(periodMs - runMs)
    signalAll(stopped, 'SIGCONT')
    postgres.thaw()
    await pause(runMs)
  }
}

describe('202 within 2 s after a stall, with no more connections than before, and nothing lost', () => {
  let running: RunningServer
  let sender: Sender
  beforeAll(async () => {
    running = await startServerOverPostgres()
    sender = await running.installation.createSender('one.sender.test')
  }, START_LIMIT_MS)
  afterAll(() => running.remove())

  for (const [index, [name, stall]] of Object.entries(STALLS).entries()) {
    test(name, { timeout: 240_000 }, () => proveRecovery(stall, running, sender, index * EMAILS))
  }
})

/** @param first the number of the first email; the results include those of earlier stalls */
async function proveRecovery(
  stall: (stall: Stall) => Promise<void>,
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
    clients: CLIENTS,
    emails: EMAILS,
    everyMs: 100,
  })
  await until('some are accepted', START_LIMIT_MS, () =>
    accepted(clients.answers()).length > first + 50 ? true : null,
  )

  const counts: number[] = []
  const counting = setInterval(() => counts.push(postgres.countConnections()), SLOW_POLL_MS)
  onTestFinished(() => clearInterval(counting))
  let asked = first
  const suppress = () =>
    postJson(installation.url, '/suppressions', sender.token, { email: `a${asked++}@example.org` })
  await stall({ server: server.pid, postgres, suppress })
  const overMs = Date.now()
  await clients.process.waitForLine('all accepted', START_LIMIT_MS)
  clearInterval(counting)

  const [back] = accepted(clients.answers().filter(({ atMs, tookMs }) => atMs - tookMs > overMs))
  expect((back?.atMs ?? Number.POSITIVE_INFINITY) - overMs).toBeLessThan(RECOVERY_LIMIT_MS)
  expect(Math.max(...counts)).toBeGreaterThan(0)
  expect(Math.max(...counts)).toBeLessThanOrEqual(CONNECTIONS_MAX)

  const areClosed = async () => ((await countDeliveries(postgres.url)).delivered === emails ? true : null)
  await until('all deliveries are closed', DELIVERED_LIMIT_MS, areClosed, SLOW_POLL_MS)
  expect(compareLedgers(clients.answers(), installation.mx, [])).toMatchObject({
    acceptedCount: emails,
    lost: [],
    strange: [],
  })
  expect(server.hasEnded).toBe(false)
}

function accepted(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ status }) => status === 202)
}
