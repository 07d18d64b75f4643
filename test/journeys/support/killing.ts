import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { clusterDirOf, isRunning, readPostmaster } from '../../../src/db/embedded/embedded-cluster.ts'
import { seedRandom } from '../../support/random.ts'
import { isFull, seedOfToday } from '../../support/thorough.ts'
import { type Child, familyOf, SLOW_POLL_MS, signalAll, until } from './children.ts'
import { startClients } from './clients.ts'
import { type Installation, type Sender, START_LIMIT_MS } from './installation.ts'
import type { Stored } from './mx.ts'
import type { JourneyPostgres } from './postgres.ts'
import { compareLedgers, countDeliveries, type Kill } from './verdict.ts'

export interface Victim {
  name: string
  /**
   * Kills with SIGKILL and restarts; null when there was nothing to kill. For a database, resolves when it is
   * available again.
   */
  kill(): Promise<Pick<Kill, 'atMs' | 'backMs'> | null>
  /** Whether its end may interrupt an SMTP session. */
  delivers: boolean
}

/** A PostgreSQL server that the journey controls. */
export const victimOf = (postgres: JourneyPostgres): Victim => ({
  name: 'PostgreSQL',
  async kill() {
    const atMs = Date.now()
    await postgres.kill()
    await postgres.start()
    return { atMs, backMs: Date.now() }
  },
  delivers: false,
})

/** Between two such lines, a server without a database logs hundreds of others. */
const isOfSupervisor = (line: string) => line.includes('"msg":"PostgreSQL ')

/**
 * The PostgreSQL server that the product starts.
 * @param server returns the process that runs it, whose log tells why it does not come back
 */
export function embeddedVictim(dataDir: string, server: () => Child): Victim {
  const clusterDir = clusterDirOf(dataDir)
  return {
    name: 'embedded PostgreSQL',
    async kill() {
      const postmaster = readPostmaster(clusterDir)
      // The pid file may outlive the process, and another process may reuse the id.
      if (postmaster === null || !isRunning(postmaster, clusterDir)) return null
      const atMs = Date.now()
      signalAll(familyOf(postmaster.pid), 'SIGKILL')
      let lastAttempt = 'no attempt'
      await until('PostgreSQL is running again', START_LIMIT_MS, () => {
        lastAttempt = server().lines.findLast(isOfSupervisor) ?? lastAttempt
        const now = readPostmaster(clusterDir)
        return now?.ready === true && now.pid !== postmaster.pid ? true : null
      }).catch((error: Error) => {
        const lines = server().lines.filter((line) => !line.includes('DatabaseUnavailable'))
        throw new Error([error.message, lastAttempt, ...lines.slice(-15)].join('\n'))
      })
      return { atMs, backMs: Date.now() }
    },
    delivers: false,
  }
}

/** The load, and how often processes are killed. */
export interface KillingLoad {
  /** At most: the clients finish once `killsMax` processes were killed. */
  emails: number
  clients: number
  /** Minimum time between two emails of one client. */
  everyMs: number
  betweenKillsMs: { min: number; max: number }
  limitMs: number
  /** After this time, the rest of the load runs undisturbed. */
  killForMs: number
  /** No limit by default. */
  killsMax?: number
  /** Consecutive kills without an accepted email, after which the next kill waits for one. */
  idleKillsMax?: number
  /** Minimum number of kills of each victim for the journey to be meaningful. */
  killsMin: number
  /** Maximum number of duplicates, even when each is excused. */
  copiesMax: number
}

/** At most 80 emails a second, so that the load lasts for dozens of kills. */
const FULL_LOAD: KillingLoad = {
  emails: 2000,
  clients: 8,
  everyMs: 100,
  betweenKillsMs: { min: 1000, max: 3000 },
  limitMs: 400_000,
  killForMs: 180_000,
  killsMin: 3,
  copiesMax: Number.POSITIVE_INFINITY,
}

/** Two kills of each victim at times that the day chooses. */
const loadOf = ({ length }: readonly Victim[]): KillingLoad =>
  isFull
    ? FULL_LOAD
    : {
        ...FULL_LOAD,
        everyMs: 150,
        betweenKillsMs: { min: 1000, max: 2500 },
        killsMax: 2 * length,
        killsMin: 2,
      }
/** DEL-4: work claimed by a dead worker is claimed again within 90 s. */
const RECLAIM_LIMIT_MS = 90_000

/**
 * Sends the emails of `load` while every process is killed in turn. Then compares the ledgers of the clients and of the
 * receiving server: nothing is lost or late, and duplicates occur only where a sender was killed with the connection
 * open.
 */
export async function proveNothingIsLost(
  { directory, url, mx, destinations }: Installation,
  senders: Sender[],
  victims: readonly Victim[],
  databaseUrl: () => string,
  load: KillingLoad = loadOf(victims),
): Promise<void> {
  const clients = startClients(directory, {
    urls: [url],
    senders,
    destinations,
    clients: load.clients,
    emails: load.emails,
    everyMs: load.everyMs,
  })
  const accepting = clients.process.waitForLine('all accepted', load.limitMs)
  const countAccepted = () => clients.answers().filter(({ status }) => status === 202).length
  const kills = await killInTurn(victims, accepting, load, countAccepted)
  if (kills.length === load.killsMax) clients.finish()
  await accepting
  const emails = new Set(clients.answers().map(({ number }) => number)).size

  const deadlineMs = Math.max(...kills.map(({ atMs }) => atMs)) + RECLAIM_LIMIT_MS
  const areClosed = async () => {
    const counts = await countDeliveries(databaseUrl()).catch(() => ({}))
    return JSON.stringify(counts) === JSON.stringify({ delivered: emails }) ? counts : null
  }
  const leftMs = deadlineMs - Date.now()
  const closed = until('all deliveries are closed', leftMs, areClosed, SLOW_POLL_MS)
  const failure = await closed.then(
    () => null,
    (error: Error) => error.message,
  )
  const verdict = compareLedgers(clients.answers(), mx, kills)
  console.log(
    `${kills.length} kills; ${verdict.acceptedCount} accepted, ${verdict.lost.length} lost, ` +
      `${verdict.duplicates.length} copies (${verdict.unexcused.length} unexcused), slowest ${verdict.slowestMs} ms`,
  )
  console.log(`copies after each kill of a sender: ${countCopies(verdict.duplicates, kills).join(', ')}`)
  expect(verdict).toMatchObject({
    acceptedCount: emails,
    lost: [],
    strange: [],
    unexcused: [],
    ambiguous: [],
  })
  expect(verdict.duplicates.length).toBeLessThanOrEqual(load.copiesMax)
  // Clients are only asked to retry, and never get an error.
  const statuses = new Set(clients.answers().map(({ status }) => status))
  expect([...statuses].filter((status) => ![0, 202, 409, 503].includes(status))).toEqual([])
  expect(verdict.slowestMs).toBeLessThan(RECLAIM_LIMIT_MS)
  expect(failure ?? (await countDeliveries(databaseUrl()))).toEqual({ delivered: emails })
  for (const victim of victims) {
    expect(kills.filter((kill) => kill.name === victim.name).length, victim.name).toBeGreaterThanOrEqual(
      load.killsMin,
    )
  }
}

/** Counts duplicates by the last kill before them that may have caused them. */
function countCopies(copies: readonly Stored[], kills: readonly Kill[]): string[] {
  const senders = kills.filter(({ delivers }) => delivers)
  return senders.map(({ atMs }, index) => {
    const untilMs = senders[index + 1]?.atMs ?? Number.POSITIVE_INFINITY
    const count = copies.filter((copy) => copy.atMs >= atMs && copy.atMs < untilMs).length
    const before = kills.filter((kill) => !kill.delivers && kill.atMs < atMs).at(-1)
    const sinceMs = before === undefined ? null : atMs - before.backMs
    return `${count} (${before?.name ?? 'nothing'} ${sinceMs ?? ''} ms before)`
  })
}

const IDLE_KILLS_MAX = 2

/**
 * Kills one victim after another, some seconds apart, until `work` is done. Kills also hit processes that are still
 * starting. But if a start takes longer than the time between two kills, nothing would ever be accepted, so some
 * kills wait.
 */
async function killInTurn(
  victims: readonly Victim[],
  work: Promise<unknown>,
  load: KillingLoad,
  countAccepted: () => number,
): Promise<Kill[]> {
  const { min, max } = load.betweenKillsMs
  const { killsMax = Number.POSITIVE_INFINITY, idleKillsMax = IDLE_KILLS_MAX } = load
  const kills: Kill[] = []
  const random = seedRandom(seedOfToday())
  let isDone = false
  const finish = () => {
    isDone = true
  }
  work.then(finish, finish)
  let acceptedCount = countAccepted()
  let fruitlessCount = 0
  const hasProgress = () => (isDone || countAccepted() > acceptedCount ? true : null)
  const endMs = performance.now() + load.killForMs
  while (!isDone && kills.length < killsMax && performance.now() < endMs) {
    await pause(min + random() * (max - min))
    fruitlessCount = hasProgress() === null ? fruitlessCount + 1 : 0
    if (fruitlessCount >= idleKillsMax) {
      await until('an email is accepted between kills', START_LIMIT_MS, hasProgress, SLOW_POLL_MS)
      fruitlessCount = 0
    }
    if (isDone) break
    acceptedCount = countAccepted()
    const victim = victims[kills.length % victims.length] as Victim
    const killed = await victim.kill()
    if (killed !== null) kills.push({ name: victim.name, delivers: victim.delivers, ...killed })
  }
  return kills
}
