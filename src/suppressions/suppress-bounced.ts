import type { Tx } from '../db/db-types.ts'
import { findThirdsInARow, isSoftBounce } from './soft-bounces.ts'
import { suppressKeys } from './suppressions.ts'

/** How one email ended at one recipient. */
export interface Ending {
  teamId: string
  emailId: string
  addressKey: string
  status: string | null
  category: string
  /** What the verdict says of the address itself. */
  suppress: boolean
}

/**
 * Puts the addresses on the suppression list whose hard bounce is the recipient's fault, and those whose mailbox was full
 * three times in a row (SUP-6, SUP-7), in the transaction that writes how they ended.
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
