import { simulatedOutcome } from '../classification/simulator.ts'
import type { Tx } from '../db/db-types.ts'
import {
  type AddressKey,
  type CountedOutcome,
  closeSoftBounceRows,
  listCountedOutcomes,
  lockSoftBounces,
} from './soft-bounces-queries.ts'

/** The number of soft bounces that suppresses an address (SUP-7). */
const IN_A_ROW = 3
const FULL = 'mailbox_full'

/** Returns whether an email ended at this recipient because of a full mailbox: bounced permanently, or expired. */
export function isSoftBounce(addressKey: string, status: string | null, category: string | null): boolean {
  const isOver = status === 'bounced' || status === 'failed'
  return isOver && category === FULL && simulatedOutcome(addressKey) === null
}

/**
 * Returns the addresses at which an email has just ended with a full mailbox for the third time in a row, each with
 * the newest of these emails. Reads the row from the deliveries themselves instead of counting, so that a DSN that
 * arrives twice or late counts once, in its place.
 */
export async function findThirdsInARow(
  tx: Tx,
  addresses: readonly AddressKey[],
  now: Date,
): Promise<(AddressKey & { emailId: string })[]> {
  const keys = distinct(addresses)
  if (keys.length === 0) return []
  await lockSoftBounces(tx, keys, now)
  const outcomes = Map.groupBy(await listCountedOutcomes(tx, keys), nameOf)
  const full = [...outcomes.values()].flatMap((newestFirst) => {
    const row = consecutiveOf(newestFirst)
    const newest = row[0]
    return row.length < IN_A_ROW || newest === undefined ? [] : [newest]
  })
  if (full.length > 0) await closeSoftBounceRows(tx, full)
  return full
}

/**
 * Returns the emails that ended with a full mailbox, newest first, back to a delivery. Ignores open emails and those
 * that ended otherwise. An email that a relay accepted counts as delivered only once a newer one has ended: before
 * that, its bounce may be on its way.
 */
function consecutiveOf(newestFirst: readonly CountedOutcome[]): CountedOutcome[] {
  const row: CountedOutcome[] = []
  for (const outcome of newestFirst) {
    if (isSoftBounce(outcome.addressKey, outcome.status, outcome.category)) row.push(outcome)
    else if (outcome.status === 'delivered' || (outcome.status === 'sent' && row.length > 0)) break
  }
  return row
}

const nameOf = ({ teamId, addressKey }: AddressKey) => `${teamId} ${addressKey}`

function distinct(addresses: readonly AddressKey[]): AddressKey[] {
  return [...new Map(addresses.map((address) => [nameOf(address), address])).values()]
}
