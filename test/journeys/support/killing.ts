import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { SLOW_POLL_MS, until } from './children.ts'
import { startClients } from './clients.ts'
import { type Installation, type Sender, START_LIMIT_MS } from './installation.ts'
import type { Stored } from './mx.ts'
import { compareLedgers, countDeliveries, type Kill } from './verdict.ts'

export interface Victim {
  name: string
  /** SIGKILL, then started again; null when there was nothing to kill. Of a database: resolves when it is back. */
  kill(): Promise<Pick<Kill, 'atMs' | 'backMs'> | null>
  /** Whether its end may cut an SMTP conversation short. */
  delivers: boolean
}

/** How much is sent meanwhile, and how often something is killed. */
export interface KillingLoad {
  emails: number
  clients: number
  /** The shortest time between two emails of one client. */
  everyMs: number
  betweenKillsMs: { min: number; max: number }
  limitMs: number
  /** How often each victim must have been hit for the journey to say anything. */
  killsMin: number
  /** Second copies that are too many, however well each is excused. */
  copiesMax: number
}

/** 80 emails a second at most: the load then lasts for dozens of kills. */
const USUAL_LOAD: KillingLoad = {
  emails: 2000,
  clients: 8,
  everyMs: 100,
  betweenKillsMs: { min: 1000, max: 3000 },
  limitMs: 400_000,
  killsMin: 3,
  copiesMax: Number.POSITIVE_INFINITY,
}
/** DEL-4: work claimed by a dead worker is taken up again within 90 s. */
const TAKEN_UP_LIMIT_MS = 90_000

/**
 * The journey of 2,000 emails (or those of `load`) during which every process is killed in turn. Then holds the
 * clients' ledger against the receiving server's: nothing lost, copies only where a sender was killed with the connection
 * open, nothing late.
 */
export async function proveNothingIsLost(
  { directory, url, mx, destinations }: Installation,
  senders: Sender[],
  victims: readonly Victim[],
  databaseUrl: () => string,
  load: KillingLoad = USUAL_LOAD,
): Promise<void> {
  const clients = startClients(directory, {
    urls: [url],
    senders,
    destinations,
    clients: load.clients,
    emails: load.emails,
    everyMs: load.everyMs,
  })
  const accepting = clients.process.said('all accepted', load.limitMs)
  const countAccepted = () => clients.answers().filter(({ status }) => status === 202).length
  const kills = await killInTurn(victims, accepting, load.betweenKillsMs, countAccepted)
  await accepting

  const deadlineMs = Math.max(...kills.map(({ atMs }) => atMs)) + TAKEN_UP_LIMIT_MS
  const areClosed = async () => {
    const counts = await countDeliveries(databaseUrl()).catch(() => ({}))
    return JSON.stringify(counts) === JSON.stringify({ delivered: load.emails }) ? counts : null
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
    acceptedCount: load.emails,
    lost: [],
    strange: [],
    unexcused: [],
    ambiguous: [],
  })
  expect(verdict.duplicates.length).toBeLessThanOrEqual(load.copiesMax)
  // A client is told to come again, never that something went wrong.
  const statuses = new Set(clients.answers().map(({ status }) => status))
  expect([...statuses].filter((status) => ![0, 202, 409, 503].includes(status))).toEqual([])
  expect(verdict.slowestMs).toBeLessThan(TAKEN_UP_LIMIT_MS)
  expect(failure ?? (await countDeliveries(databaseUrl()))).toEqual({ delivered: load.emails })
  for (const victim of victims) {
    expect(kills.filter((kill) => kill.name === victim.name).length, victim.name).toBeGreaterThanOrEqual(
      load.killsMin,
    )
  }
}

/** Second copies by the last kill before them that may have caused them. */
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

/** Kills in a row after none of which an email was accepted, before the next kill waits for one. */
const FRUITLESS_MAX = 2

/**
 * Kills one after the other, some seconds apart, until `work` is done. Kills hit processes that are still starting, too; but
 * where a start takes longer than the time between two kills, nothing would ever be accepted.
 */
async function killInTurn(
  victims: readonly Victim[],
  work: Promise<unknown>,
  { min, max }: KillingLoad['betweenKillsMs'],
  countAccepted: () => number,
): Promise<Kill[]> {
  const kills: Kill[] = []
  let isDone = false
  const finish = () => {
    isDone = true
  }
  work.then(finish, finish)
  let acceptedCount = countAccepted()
  let fruitlessCount = 0
  const hasProgress = () => (isDone || countAccepted() > acceptedCount ? true : null)
  for (let turn = 0; !isDone; turn++) {
    await pause(min + Math.random() * (max - min))
    fruitlessCount = hasProgress() === null ? fruitlessCount + 1 : 0
    if (fruitlessCount >= FRUITLESS_MAX) {
      await until('an email is accepted between kills', START_LIMIT_MS, hasProgress, SLOW_POLL_MS)
      fruitlessCount = 0
    }
    if (isDone) break
    acceptedCount = countAccepted()
    const victim = victims[turn % victims.length] as Victim
    const killed = await victim.kill()
    if (killed !== null) kills.push({ name: victim.name, delivers: victim.delivers, ...killed })
  }
  return kills
}
