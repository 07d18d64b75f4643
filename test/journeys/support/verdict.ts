import pg from 'pg'
import type { Answer } from './clients.ts'
import type { Connection, JourneyMx, Stored } from './mx.ts'

/** The comparison of two independent ledgers of one run: the clients' and the receiving server's. */
export interface Verdict {
  acceptedCount: number
  /** Accepted emails that the receiving server did not store. */
  lost: string[]
  /** Stored messages whose Message-ID does not match the accepted id. */
  strange: string[]
  /** Duplicates: second and later copies. */
  duplicates: Stored[]
  /** Descriptions of duplicates that no kill excuses. */
  unexcused: string[]
  /** Emails for which clients got more than one id. */
  ambiguous: number[]
  /**
   * The longest time from acceptance, or from the last kill before delivery, to the receiving server, in
   * milliseconds.
   */
  slowestMs: number
}

export interface Kill {
  name: string
  atMs: number
  /** For a database, when it was available again; otherwise the same as `atMs`. */
  backMs: number
  /** Whether its end may interrupt an SMTP session. */
  delivers: boolean
}

/** A sender's connections break when it is killed. The receiver may notice the end a little later, never earlier. */
const CLOCK_SLACK_MS = 5
/**
 * The reply to the final dot is read within this time, even on a busy machine. Every reply that was read is in the
 * journal.
 */
const READ_WITHIN_MS = 2000

/**
 * Returns whether a duplicate is excused: its sender was killed with the connection open, so soon after the final dot
 * that it had no time to read the reply.
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

/**
 * Compares the ledgers.
 * @param kills all kills; only those of processes that deliver excuse a duplicate
 */
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
        verdict.unexcused.push(describeCopy(copy, before, connection, kills))
    }
    const acceptedMs = Math.min(...given.map(({ atMs }) => atMs))
    const sinceMs = Math.max(acceptedMs, ...killsMs.filter((kill) => kill <= first.atMs))
    verdict.slowestMs = Math.max(verdict.slowestMs, first.atMs - sinceMs)
  }
  return verdict
}

/** Describes a duplicate, with times in milliseconds after the first copy. */
function describeCopy(
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

/** Counts the deliveries in each state, over a separate connection. */
export async function countDeliveries(databaseUrl: string): Promise<Record<string, number>> {
  const rows = await queryDatabase<{ status: string; count: number }>(
    databaseUrl,
    'select status, count(*)::int as count from delivery group by status order by status',
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

/** Runs one statement on a new connection. */
export async function queryDatabase<Row>(
  databaseUrl: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
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
