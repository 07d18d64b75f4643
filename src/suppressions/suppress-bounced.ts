import { simulatedOutcome } from '../classification/simulator.ts'
import type { Tx } from '../db/db-types.ts'
import {
  type AddressKey,
  type CountedOutcome,
  closeSoftBounceRows,
  listCountedOutcomes,
  lockSoftBounces,
} from './soft-bounces-queries.ts'
import { suppressKeys } from './suppressions.ts'

/** The number of soft bounces that suppresses an address (SUP-7). */
const IN_A_ROW = 3
const FULL = 'mailbox_full'

const nameOf = ({ teamId, addressKey }: AddressKey) => `${teamId} ${addressKey}`

/** The final status of one email at one recipient. */
export interface Ending {
  teamId: string
  emailId: string
  addressKey: string
  status: string | null
  category: string
  /** Whether the verdict suppresses the address. */
  suppress: boolean
}

/**
 * Suppresses the addresses with a hard bounce that is the recipient's fault, and those with three full mailboxes in a
 * row (SUP-6, SUP-7). Runs in the transaction that writes the final statuses.
 */
export async function suppressBounced(tx: Tx, endings: readonly Ending[], now: Date): Promise<void> {
  const hard = endings.filter(({ status, suppress }) => status === 'bounced' && suppress)
  const soft = endings.filter(({ addressKey, status, category }) =>
    isSoftBounce(addressKey, status, category),
  )
  const thirds = await findThirdsInARow(tx, soft, now)
  const bounced = [...hard, ...thirds].map(({ teamId, emailId, addressKey }) => ({
    teamId,
    email: addressKey,
    reason: 'bounce' as const,
    sourceEmailId: emailId,
  }))
  await suppressKeys(tx, bounced, now)
}

/** Returns whether an email ended at this recipient because of a full mailbox: bounced permanently, or expired. */
function isSoftBounce(addressKey: string, status: string | null, category: string | null): boolean {
  const isOver = status === 'bounced' || status === 'failed'
  return isOver && category === FULL && simulatedOutcome(addressKey) === null
}

/**
 * Returns the addresses at which an email has just ended with a full mailbox for the third time in a row, each with
 * the newest of these emails. Reads the row from the deliveries themselves instead of counting, so that a DSN that
 * arrives twice or late counts once, in its place.
 */
async function findThirdsInARow(
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

function distinct(addresses: readonly AddressKey[]): AddressKey[] {
  return [...new Map(addresses.map((address) => [nameOf(address), address])).values()]
}
