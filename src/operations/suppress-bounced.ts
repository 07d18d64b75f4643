import type { Settlement } from '../queue/settle.ts'
import type { Tx } from '../store/db.ts'
import { suppressKey } from './suppressions.ts'

/**
 * Puts the addresses on the suppression list whose hard bounce is the recipient's fault (decisions.md section 8), in
 * the transaction that settles them. In the order of the addresses, so that two batches never wait for each other.
 */
export async function suppressBounced(tx: Tx, settlements: readonly Settlement[], now: Date): Promise<void> {
  const bounced = settlements
    .filter(({ result, status }) => status === 'bounced' && result?.verdict.suppress === true)
    .map(({ delivery }) => delivery)
    .sort((a, b) => (`${a.teamId}/${a.addressKey}` < `${b.teamId}/${b.addressKey}` ? -1 : 1))
  for (const { teamId, emailId, addressKey } of bounced) {
    await suppressKey(tx, teamId, addressKey, { reason: 'bounce', sourceEmailId: emailId }, now)
  }
}
