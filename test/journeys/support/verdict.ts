import pg from 'pg'
import type { Answer } from './clients.ts'
import type { Connection, JourneyMx, Stored } from './mx.ts'

/** What two independent ledgers say of one run: the clients' file and the receiving server's. */
export interface Verdict {
  acceptedCount: number
  /** Accepted emails that the receiving server has not stored. */
  lost: string[]
  /** Stored messages whose Message-ID is not that of the accepted id. */
  strange: string[]
  /** Second and later copies. */
  duplicates: Stored[]
  /** Copies that no kill excuses, in words. */
  unexcused: string[]
  /** Emails for which clients got more than one id. */
  ambiguous: number[]
  /** The longest time from acceptance, or the last kill before it, to the receiving server, milliseconds. */
  slowestMs: number
}

export interface Kill {
  name: string
  atMs: number
  /** When it ran again, of a database; of the others the same as `atMs`. */
  backMs: number
  /** Whether its end may cut an SMTP conversation short. */
  delivers: boolean
}

/** A sender's connections break when it is killed; the receiver may note the end a little later, never earlier. */
const CLOCK_SLACK_MS = 5
/** The answer to the final dot is read within this time, on a busy machine; what was read is in the journal. */
const READ_WITHIN_MS = 2000

/**
 * Whether a message may come again: its sender was killed with the connection open, and had no time to read the answer,
 * because the final dot was a moment ago.
 */
function isExcused(before: Stored, copy: Stored, connection: Connection, kills: readonly Kill[]): boolean {
  return kills.some(
    (kill) =>
      kill.delivers &&
      connection.openedMs <= kill.atMs &&
      connection.closedMs >= kill.atMs - CLOCK_SLACK_MS &&
      copy.atMs >= kill.atMs &&
      before.atMs >= kill.atMs - READ_WITHIN_MS,
  )
}

/** @param kills all kills; only those of processes that deliver excuse a copy */
export function compareLedgers(answers: readonly Answer[], mx: JourneyMx, kills: readonly Kill[]): Verdict {
  const killsMs = kills.filter(({ delivers }) => delivers).map(({ atMs }) => atMs)
  const stored = mx.stored()
  const connections = mx.connections()
  const byPerson = Map.groupBy(stored, ({ to }) => to.split('@')[0] ?? '')
  const accepted = Map.groupBy(
    answers.filter(({ status }) => status === 202),
    ({ number }) => number,
  )
  const verdict: Verdict = {
    acceptedCount: accepted.size,
    lost: [],
    strange: [],
    duplicates: [],
    unexcused: [],
    ambiguous: [],
    slowestMs: 0,
  }
  for (const [number, given] of accepted) {
    const ids = new Set(given.map(({ id }) => id))
    if (ids.size > 1) verdict.ambiguous.push(number)
    const [id] = ids
    const copies = byPerson.get(`person-${number}`) ?? []
    const [first] = copies
    if (first === undefined) {
      verdict.lost.push(`${id}`)
      continue
    }
    verdict.strange.push(
      ...copies
        .filter(({ messageId, subject }) => !messageId.startsWith(`<${id}@`) || subject !== `Order ${number}`)
        .map(({ messageId }) => messageId),
    )
    verdict.duplicates.push(...copies.slice(1))
    for (const [index, copy] of copies.slice(1).entries()) {
      const before = copies[index] as Stored
      const connection = connections.get(before.connection) as Connection
      if (!isExcused(before, copy, connection, kills))
        verdict.unexcused.push(tellStory(copy, before, connection, kills))
    }
    const acceptedMs = Math.min(...given.map(({ atMs }) => atMs))
    const sinceMs = Math.max(acceptedMs, ...killsMs.filter((kill) => kill <= first.atMs))
    verdict.slowestMs = Math.max(verdict.slowestMs, first.atMs - sinceMs)
  }
  return verdict
}

/** Times in milliseconds after the first copy. */
function tellStory(
  copy: Stored,
  before: Stored,
  { openedMs, closedMs }: Connection,
  kills: readonly Kill[],
): string {
  const after = (atMs: number) => Math.round(atMs - before.atMs)
  const near = kills.filter(({ atMs }) => atMs > openedMs - 5000 && atMs < copy.atMs + 1000)
  return (
    `${copy.subject} came again after ${after(copy.atMs)} ms; first over a connection open from ` +
    `${after(openedMs)} to ${after(closedMs)}; killed: ${near.map((kill) => `${kill.name} ${after(kill.atMs)}`).join(', ')}`
  )
}

/** How many deliveries the database holds in each state, asked over a connection of the journey's own. */
export async function countDeliveries(databaseUrl: string): Promise<Record<string, number>> {
  const rows = await ask<{ status: string; count: number }>(
    databaseUrl,
    'select status, count(*)::int as count from delivery group by status order by status',
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

/** One statement on a fresh connection. */
export async function ask<Row>(databaseUrl: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query(sql, values)
    return rows as Row[]
  } finally {
    await client.end().catch(() => {})
  }
}
