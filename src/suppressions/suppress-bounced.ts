import type { Tx } from '../db/db-types.ts'
import { findThirdsInARow, isSoftBounce } from './soft-bounces.ts'
import { suppressKeys } from './suppressions.ts'

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
