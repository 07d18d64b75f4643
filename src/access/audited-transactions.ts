import type { Transactions, Tx } from '../db/db-types.ts'
import { type AuditEntry, insertAudit } from './audit-queries.ts'

/** Comes before `events` in the one order of topics (db/db.ts), as in every transaction. */
const TOPIC = 'audit'

export interface AuditedTransactions extends Transactions {
  /** Whether a change was committed, and the entry with it. */
  isWritten(): boolean
}

/** Writes the entry when the transaction commits. */
export function audit(tx: Tx, entry: AuditEntry): void {
  tx.writeLast(TOPIC, [entry], insertAudit)
}

/**
 * Opens the transactions of one audited request: the first one that commits writes the entry too, so that neither the
 * change nor its entry exists without the other. A transaction that rolls back leaves neither. Work that resolves to null
 * or false found nothing to change, and writes no entry.
 */
export function auditedTransactions(db: Transactions, entry: AuditEntry): AuditedTransactions {
  let isWritten = false
  return {
    async transaction(work) {
      let hasChanged = false
      const result = await db.transaction(async (tx) => {
        const outcome = await work(tx)
        hasChanged = outcome !== null && outcome !== false
        if (hasChanged && !isWritten) audit(tx, entry)
        return outcome
      })
      isWritten ||= hasChanged
      return result
    },
    isWritten: () => isWritten,
  }
}
