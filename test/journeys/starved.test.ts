import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, type TestContext, test } from 'vitest'
import { openDb } from '../../src/db/db.ts'
import { familyOf, SLOW_POLL_MS, signalAll, until } from './support/children.ts'
import { type Answer, startClients } from './support/clients.ts'
import { postJson, START_LIMIT_MS } from './support/installation.ts'
import type { JourneyPostgres } from './support/postgres.ts'
import { startServerOverPostgres } from './support/running-server.ts'
import { compareLedgers, countDeliveries } from './support/verdict.ts'

const STARVED_MS = 10_000
const RECOVERY_LIMIT_MS = 2000
const DELIVERED_LIMIT_MS = 90_000
const EMAILS = 1500
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
  for (const [name, stall] of Object.entries(STALLS)) {
    test(name, { timeout: 240_000 }, async ({ onTestFinished }) => {
      await proveRecovery(stall, onTestFinished)
    })
  }
})

async function proveRecovery(
  stall: (stall: Stall) => Promise<void>,
  atEnd: TestContext['onTestFinished'],
): Promise<void> {
  const { directory, postgres, installation, server } = await startServerOverPostgres(atEnd)
  const sender = await installation.createSender('one.sender.test')
  const clients = startClients(directory, {
    urls: [installation.url],
    senders: [sender],
    destinations: installation.destinations,
    clients: CLIENTS,
    emails: EMAILS,
    everyMs: 100,
  })
  await until('some are accepted', START_LIMIT_MS, () =>
    accepted(clients.answers()).length > 50 ? true : null,
  )

  const counts: number[] = []
  const counting = setInterval(() => counts.push(postgres.countConnections()), SLOW_POLL_MS)
  atEnd(() => clearInterval(counting))
  let asked = 0
  const suppress = () =>
    postJson(installation.url, '/suppressions', sender.token, { email: `a${asked++}@example.org` })
  await stall({ server: server.pid, postgres, suppress })
  const overMs = Date.now()
  await clients.process.waitForLine('all accepted', START_LIMIT_MS)
  clearInterval(counting)

  const [first] = accepted(clients.answers().filter(({ atMs, tookMs }) => atMs - tookMs > overMs))
  expect((first?.atMs ?? Number.POSITIVE_INFINITY) - overMs).toBeLessThan(RECOVERY_LIMIT_MS)
  expect(Math.max(...counts)).toBeGreaterThan(0)
  expect(Math.max(...counts)).toBeLessThanOrEqual(CONNECTIONS_MAX)

  const areClosed = async () => ((await countDeliveries(postgres.url)).delivered === EMAILS ? true : null)
  await until('all deliveries are closed', DELIVERED_LIMIT_MS, areClosed, SLOW_POLL_MS)
  expect(compareLedgers(clients.answers(), installation.mx, [])).toMatchObject({
    acceptedCount: EMAILS,
    lost: [],
    strange: [],
  })
  expect(server.hasEnded).toBe(false)
}

function accepted(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ status }) => status === 202)
}
