import { simulatedOutcome } from '../classification/simulator.ts'
import type { Tx } from '../db/db-types.ts'
import {
  type AddressKey,
  type CountedOutcome,
  closeSoftBounceRows,
  listCountedOutcomes,
  lockSoftBounces,
} from './soft-bounces-queries.ts'

/** SUP-7. */
const IN_A_ROW = 3
const FULL = 'mailbox_full'

/** Whether an email ended at this recipient because the mailbox was full: refused for good, or until its time was over. */
export function isSoftBounce(addressKey: string, status: string | null, category: string | null): boolean {
  const isOver = status === 'bounced' || status === 'failed'
  return isOver && category === FULL && simulatedOutcome(addressKey) === null
}

/**
 * Of addresses at which an email has just ended with a full mailbox, those where it is the third in a row, each with the
 * newest of these emails. Nothing is counted while mail is delivered: the row is read from the deliveries themselves, so
 * that a notice that comes twice, or long after the delivery that it takes back, is counted once and in its place.
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
    const row = rowOf(newestFirst)
    const newest = row[0]
    return row.length < IN_A_ROW || newest === undefined ? [] : [newest]
  })
  if (full.length > 0) await closeSoftBounceRows(tx, full)
  return full
}

/**
 * The emails that ended with a full mailbox, newest first, up to a delivery. Those that are open or ended otherwise are
 * passed over. What a relay took counts as delivered only once a newer email has ended: before that, its bounce may be
 * on its way.
 */
function rowOf(newestFirst: readonly CountedOutcome[]): CountedOutcome[] {
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
