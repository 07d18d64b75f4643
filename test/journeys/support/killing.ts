import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { until } from './children.ts'
import { startClients } from './clients.ts'
import type { Installation, Sender } from './installation.ts'
import { compareLedgers, countDeliveries, type Kill } from './verdict.ts'

export interface Victim {
  name: string
  /** SIGKILL, then started again; null when there was nothing to kill. Of a database: resolves when it is back. */
  kill(): Promise<Pick<Kill, 'atMs' | 'backMs'> | null>
  /** Whether its end may cut an SMTP conversation short. */
  delivers: boolean
}

const EMAILS = 2000
const CLIENTS = 8
/** 80 emails a second at most: the load then lasts for dozens of kills. */
const EVERY_MS = 100
const BETWEEN_KILLS_MS = { min: 1000, max: 3000 }
const LOAD_LIMIT_MS = 150_000
/** engine.md section 1: work claimed by a dead worker is taken up again within 90 s. */
const TAKEN_UP_LIMIT_MS = 90_000

/**
 * The journey of 2,000 emails during which every process is killed in turn. Then holds the clients' ledger against the
 * receiving server's: nothing lost, copies only where a sender was killed with the connection open, nothing late.
 */
export async function proveNothingIsLost(
  { directory, url, mx, destinations }: Installation,
  senders: Sender[],
  victims: readonly Victim[],
  databaseUrl: () => string,
): Promise<void> {
  const clients = startClients(directory, {
    urls: [url],
    senders,
    destinations,
    clients: CLIENTS,
    emails: EMAILS,
    everyMs: EVERY_MS,
  })
  const accepting = clients.process.said('all accepted', LOAD_LIMIT_MS)
  const kills = await killInTurn(victims, accepting)
  await accepting

  const deadlineMs = Math.max(...kills.map(({ atMs }) => atMs)) + TAKEN_UP_LIMIT_MS
  const closed = until('all deliveries are closed', deadlineMs - Date.now(), async () => {
    const counts = await countDeliveries(databaseUrl()).catch(() => ({}))
    return JSON.stringify(counts) === JSON.stringify({ delivered: EMAILS }) ? counts : null
  })
  const failure = await closed.then(
    () => null,
    (error: Error) => error.message,
  )
  const verdict = compareLedgers(clients.answers(), mx, kills)
  console.log(
    `${kills.length} kills; ${verdict.acceptedCount} accepted, ${verdict.lost.length} lost, ` +
      `${verdict.duplicates.length} copies (${verdict.unexcused.length} unexcused), slowest ${verdict.slowestMs} ms`,
  )
  expect(verdict).toMatchObject({
    acceptedCount: EMAILS,
    lost: [],
    strange: [],
    unexcused: [],
    ambiguous: [],
  })
  // A client is told to come again, never that something went wrong.
  const statuses = new Set(clients.answers().map(({ status }) => status))
  expect([...statuses].filter((status) => ![0, 202, 409, 503].includes(status))).toEqual([])
  expect(verdict.slowestMs).toBeLessThan(TAKEN_UP_LIMIT_MS)
  expect(failure ?? (await countDeliveries(databaseUrl()))).toEqual({ delivered: EMAILS })
  for (const victim of victims) {
    expect(kills.filter((kill) => kill.name === victim.name).length, victim.name).toBeGreaterThanOrEqual(3)
  }
}

/** Kills one after the other, 1 to 3 s apart, until `work` is done. */
async function killInTurn(victims: readonly Victim[], work: Promise<unknown>): Promise<Kill[]> {
  const kills: Kill[] = []
  let isDone = false
  const finish = () => {
    isDone = true
  }
  work.then(finish, finish)
  for (let turn = 0; !isDone; turn++) {
    await pause(BETWEEN_KILLS_MS.min + Math.random() * (BETWEEN_KILLS_MS.max - BETWEEN_KILLS_MS.min))
    if (isDone) break
    const victim = victims[turn % victims.length] as Victim
    const killed = await victim.kill()
    if (killed !== null) kills.push({ name: victim.name, delivers: victim.delivers, ...killed })
  }
  return kills
}
