import type { Settlement } from '../queue/settle.ts'
import type { Tx } from '../store/db.ts'
import { suppressKeys } from './suppressions.ts'

/**
 * Puts the addresses on the suppression list whose hard bounce is the recipient's fault (decisions.md section 8), in
 * the transaction that settles them.
 */
export async function suppressBounced(tx: Tx, settlements: readonly Settlement[], now: Date): Promise<void> {
  const bounced = settlements
    .filter(({ result, status }) => status === 'bounced' && result?.verdict.suppress === true)
    .map(({ delivery }) => ({
      teamId: delivery.teamId,
      email: delivery.addressKey,
      reason: 'bounce' as const,
      sourceEmailId: delivery.emailId,
    }))
  await suppressKeys(tx, bounced, now)
}
