import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectionInfo } from '../../src/db/embedded/embedded-postgres.ts'
import { createDatabase } from '../support/database.ts'
import { findFreePort } from '../support/ports.ts'
import { isFull } from '../support/thorough.ts'
import { signalAll } from './support/children.ts'
import { createInstallation, START_LIMIT_MS, STARTED } from './support/installation.ts'
import { keepRunning } from './support/kept.ts'
import { embeddedVictim, proveNothingIsLost } from './support/killing.ts'
import { countAccepted, holdSettlement, sendEmails } from './support/settlement.ts'
import { countDeliveries } from './support/verdict.ts'
import { killOldestWorker, untilGone, workersOf } from './support/workers.ts'

const WORKERS = { SENDWRIGHT_WORKERS: '3' }
/** At most 53 emails a second. */
const LOAD = {
  emails: 2000,
  clients: 8,
  everyMs: 150,
  betweenKillsMs: { min: 1000, max: 2500 },
  limitMs: 400_000,
  killForMs: 180_000,
  // One or two rounds. A start of three workers takes long on a busy machine, so something is accepted between kills.
  killsMax: isFull ? 10 : 5,
  idleKillsMax: 1,
  killsMin: 1,
  copiesMax: Number.POSITIVE_INFINITY,
}

test('nothing is lost while each of three workers, their supervisor and its embedded PostgreSQL are killed in turn', {
  timeout: 600_000,
}, async () => {
  const installation = await createInstallation()
  onTestFinished(() => installation.remove())
  const dataDir = join(installation.directory, 'data')
  await installation.mx.start()
  const server = keepRunning(() => installation.serve({ environment: WORKERS }))
  onTestFinished(() => server.release())
  await server.ready()
  expect(workersOf(server.current())).toHaveLength(3)
  const senders = [await installation.createSender('one.sender.test')]
  const everyWorker = new Set<number>()
  const noteWorkers = () => {
    for (const pid of workersOf(server.current())) everyWorker.add(pid)
  }

  const worker = {
    name: 'worker',
    async kill() {
      // Most of these kills leave two workers that continue.
      await server.ready()
      noteWorkers()
      return killOldestWorker(server.current())
    },
    delivers: true,
  }
  await proveNothingIsLost(
    installation,
    senders,
    [
      worker,
      {
        name: 'supervisor',
        async kill() {
          noteWorkers()
          return server.kill()
        },
        // Its workers finish their SMTP sessions, so it excuses no duplicate.
        delivers: false,
      },
      worker,
      embeddedVictim(dataDir, server.current),
      worker,
    ],
    () => connectionInfo(dataDir) ?? '',
    LOAD,
  )
  expect(server.crashes()).toEqual([])
  noteWorkers()
  server.release()
  server.current().signal('SIGTERM')
  expect(await server.current().ended).toBe(0)
  await untilGone(everyWorker)
})

const EMAILS = 25
/** Leases last 60 s: what is done sooner did not wait for their end. */
const POLL = { timeout: 50_000, interval: 25 }

test('the work of killed workers is settled from their journals, or sent by others at once', {
  timeout: 180_000,
}, async () => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const installation = await createInstallation(database.url)
  onTestFinished(() => installation.remove())
  await installation.mx.start()
  const metricsPort = await findFreePort()
  const environment = { ...WORKERS, SENDWRIGHT_METRICS_PORT: `${metricsPort}` }
  const server = installation.serve({ environment })
  await server.waitForLine(STARTED, START_LIMIT_MS)
  const sender = await installation.createSender('one.sender.test')

  // Servers have accepted the messages, and no result is committed.
  const release = await holdSettlement(database)
  await sendEmails(installation, sender, 'a', EMAILS)
  await expect.poll(() => countAccepted(metricsPort), POLL).toBe(EMAILS)
  signalAll(workersOf(server), 'SIGKILL')
  await release()
  await expect.poll(() => countDeliveries(database.url), POLL).toEqual({ delivered: EMAILS })
  const copies = Object.values(Object.groupBy(installation.mx.stored(), ({ to }) => to))
  expect(copies.map((all) => all?.length)).toEqual(Array.from({ length: EMAILS }, () => 1))
  // The counts of the killed workers stay.
  expect(await countAccepted(metricsPort)).toBe(EMAILS)

  // The server takes a second for each message, so most of them wait in the memory of workers.
  await installation.mx.kill()
  await installation.mx.start(1_000)
  await expect.poll(() => workersOf(server).length, POLL).toBe(3)
  await expect.poll(() => startsOf(server.lines), POLL).toBe(6)
  await sendEmails(installation, sender, 'b', EMAILS)
  const leased = await database.db.query('select from delivery where leased_by is not null')
  expect(leased.length).toBeGreaterThan(EMAILS / 2)
  signalAll(workersOf(server), 'SIGKILL')
  await expect.poll(() => countDeliveries(database.url), POLL).toEqual({ delivered: 2 * EMAILS })

  // Every line of the one log is whole, and names its worker.
  const logged = server.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  const workers = new Set(logged.map(({ worker }) => worker as number))
  expect([1, 2, 3].filter((number) => !workers.has(number))).toEqual([])
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
})

const startsOf = (lines: readonly string[]) =>
  lines.filter((line) => line.includes('"msg":"a worker started"')).length
