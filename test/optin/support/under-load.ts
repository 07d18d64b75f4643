import { expect } from 'vitest'
import { until } from '../../journeys/support/children.ts'
import { type Answer, startClients } from '../../journeys/support/clients.ts'
import type { Installation, Sender } from '../../journeys/support/installation.ts'
import { compareLedgers } from '../../journeys/support/verdict.ts'

export interface Load {
  emails: number
  clients: number
  everyMs: number
}

const ACCEPTED_LIMIT_MS = 300_000
const DELIVERED_LIMIT_MS = 150_000

/** The effect of a fault on the clients, according to their ledger. */
export interface Told {
  /** Responses during the fault, by status; 0 stands for a broken connection. */
  during: Record<number, number>
  /** Time from the end of the fault to the first 202, in milliseconds. */
  backAfterMs: number
  copies: number
}

/**
 * Runs clients while `fault` breaks something; `fault` resolves when it is repaired, with its start time. Then
 * compares the ledgers of the clients and of the receiving server: every accepted email has arrived with its
 * Message-ID.
 */
export async function sendUnderFault(
  { directory, url, mx, destinations }: Installation,
  senders: Sender[],
  load: Load,
  fault: (answers: () => Answer[]) => Promise<{ beganMs: number }>,
): Promise<Told> {
  const clients = startClients(directory, { urls: [url], senders, destinations, ...load })
  const accepting = clients.process.waitForLine('all accepted', ACCEPTED_LIMIT_MS)
  await until('the load runs', 30_000, () => (clients.answers().length > load.emails / 10 ? true : null))
  const { beganMs } = await fault(() => clients.answers())
  const mendedMs = Date.now()
  await accepting
  const arrived = () => new Set(mx.stored().map(({ to }) => to)).size
  await until('everything has arrived', DELIVERED_LIMIT_MS, () =>
    arrived() >= load.emails ? true : null,
  ).catch(() => {})
  const answers = clients.answers()
  const verdict = compareLedgers(answers, mx, [])
  expect(verdict).toMatchObject({ acceptedCount: load.emails, lost: [], strange: [], ambiguous: [] })
  const statuses = new Set(answers.map(({ status }) => status))
  expect([...statuses].filter((status) => ![0, 202, 409, 503].includes(status))).toEqual([])
  const during: Record<number, number> = {}
  for (const { atMs, status } of answers) {
    if (atMs >= beganMs && atMs <= mendedMs) during[status] = (during[status] ?? 0) + 1
  }
  const back = answers.find(({ atMs, status }) => status === 202 && atMs > mendedMs)
  return { during, backAfterMs: (back?.atMs ?? Number.NaN) - mendedMs, copies: verdict.duplicates.length }
}
