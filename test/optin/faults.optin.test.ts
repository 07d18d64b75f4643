import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../journeys/support/children.ts'
import type { Answer } from '../journeys/support/clients.ts'
import { createInstallation, makeDirectory } from '../journeys/support/installation.ts'
import { keepRunning } from '../journeys/support/kept.ts'
import { createPostgres, type JourneyPostgres } from '../journeys/support/postgres.ts'
import { givenInstallation } from '../journeys/support/running-server.ts'
import { buildFailingFsync, installCompiler } from './support/failing-fsync.ts'
import { sendUnderFault } from './support/under-load.ts'

const isRoot = process.getuid?.() === 0
const noCompiler = isRoot ? await installCompiler() : 'A failing fsync is skipped: only root may install it.'
if (noCompiler !== null) process.stderr.write(`${noCompiler}\n`)

const LOAD = { emails: 4000, clients: 8, everyMs: 100 }
const FAULT_MS = 15_000
/** Like the embedded PostgreSQL: it ends after a crash and is restarted from outside. */
const SETTINGS = ['fsync=on', 'restart_after_crash=off']
const tell = (what: string, told: Awaited<ReturnType<typeof sendUnderFault>>) =>
  console.log(`${what}: ${JSON.stringify(told)}`)
const refusedSince = (answers: readonly Answer[], sinceMs: number) =>
  answers.some(({ status, atMs }) => atMs >= sinceMs && status !== 202)

test.skipIf(!isRoot)(
  'full disk: 503 until space is available, nothing accepted is lost, and delivery resumes automatically',
  {
    timeout: 600_000,
  },
  async () => {
    const installation = await createInstallation()
    onTestFinished(() => installation.remove())
    const disk = join(installation.directory, 'data')
    mkdirSync(disk)
    execFileSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'none', disk])
    onTestFinished(() => void execFileSync('/usr/bin/umount', ['--lazy', disk]))
    await installation.mx.start()
    const server = keepRunning(() => installation.serve())
    onTestFinished(() => server.release())
    await server.ready()
    const senders = [await installation.createSender('one.sender.test')]

    const ballast = openSync(join(disk, 'ballast'), 'w')
    const fill = () => {
      // Other processes write there too, so small writes must fail as well.
      for (const size of [4 * 1024 * 1024, 4096]) {
        try {
          for (;;) writeSync(ballast, Buffer.alloc(size))
        } catch {
          // The disk is full.
        }
      }
    }
    const told = await sendUnderFault(installation, senders, LOAD, async (answers) => {
      // PostgreSQL may still use the space reserved for its log, so the disk counts as full at the first rejection.
      const startedMs = Date.now()
      await until('the disk is full', 60_000, () => {
        fill()
        return refusedSince(answers(), startedMs) ? true : null
      })
      const beganMs = Date.now()
      const untilMs = beganMs + FAULT_MS
      while (Date.now() < untilMs) {
        fill()
        await pause(100)
      }
      closeSync(ballast)
      rmSync(join(disk, 'ballast'))
      return { beganMs }
    })
    tell('disk full', told)
    expect(told.during[503] ?? 0).toBeGreaterThan(0)
    expect(server.crashes()).toEqual([])
  },
)

test.skipIf(noCompiler !== null)(
  'fsync error: nothing is accepted that is not on disk, and delivery resumes when fsync works again',
  {
    timeout: 600_000,
  },
  async () => {
    const directory = makeDirectory()
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    const disk = buildFailingFsync(directory)
    const { environment } = disk
    const postgres = await createPostgres(directory, { settings: SETTINGS, environment })
    onTestFinished(() => postgres.stop())
    await postgres.start()
    const installation = await createInstallation(postgres.url)
    onTestFinished(() => installation.remove())
    await installation.mx.start()
    const server = keepRunning(() => installation.serve())
    onTestFinished(() => server.release())
    await server.ready()
    const senders = [await installation.createSender('one.sender.test')]

    const told = await sendUnderFault(installation, senders, LOAD, async (answers) => {
      disk.fail()
      const failedMs = Date.now()
      // A commit that had passed its fsync still gets its response.
      await until('it is turned away', 60_000, () => (refusedSince(answers(), failedMs) ? true : null))
      const beganMs = Date.now()
      const keeping = keepStarted(postgres, beganMs + FAULT_MS)
      await pause(FAULT_MS)
      disk.mend()
      await keeping
      return { beganMs }
    })
    tell('fsync error', told)
    expect(told.during[202] ?? 0).toBe(0)
    expect(told.during[503] ?? 0).toBeGreaterThan(0)
    expect(server.crashes()).toEqual([])
  },
)

test('exhausted connections: 503 or service by existing ones, nothing is lost, and recovery when connections are free', {
  timeout: 600_000,
}, async () => {
  const { postgres, installation } = await givenInstallation({ settings: ['max_connections=30'] })
  await installation.mx.start()
  const server = keepRunning(() => installation.serve())
  onTestFinished(() => server.release())
  await server.ready()
  const senders = [await installation.createSender('one.sender.test')]

  const told = await sendUnderFault(installation, senders, LOAD, async () => {
    const beganMs = Date.now()
    const hogs = await holdAllConnections(postgres.url, beganMs + FAULT_MS)
    console.log(`connections exhausted: ${hogs.length} held by others, the product's were ended`)
    await Promise.all(hogs.map((hog) => hog.end().catch(() => {})))
    return { beganMs }
  })
  tell('connections exhausted', told)
  expect(server.crashes()).toEqual([])
})

/** Restarts PostgreSQL like an init system, until it runs after the given time. */
async function keepStarted(postgres: JourneyPostgres, untilMs: number): Promise<void> {
  while (postgres.hasEnded || Date.now() < untilMs) {
    if (postgres.hasEnded) await postgres.start()
    await pause(100)
  }
}

/** Ends the product's sessions and takes their places, until the given time. */
async function holdAllConnections(url: string, untilMs: number): Promise<pg.Client[]> {
  const hogs: pg.Client[] = []
  while (Date.now() < untilMs) {
    const hog = new pg.Client({ connectionString: url, application_name: 'hog' })
    hog.on('error', () => {})
    const isIn = await hog.connect().then(
      () => true,
      () => false,
    )
    if (isIn) hogs.push(hog)
    const [first] = hogs
    await first
      ?.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name <> 'hog' and backend_type = 'client backend'",
      )
      .catch(() => {})
    if (!isIn) await pause(50)
  }
  return hogs
}
