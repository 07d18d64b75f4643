import type { Transactions, Tx } from '../db/db-types.ts'
import { type AuditEntry, insertAudit } from './audit-queries.ts'

/** Sorts before `events` in the order of topics (db/db.ts), which every transaction follows. */
const TOPIC = 'audit'

export interface AuditedTransactions extends Transactions {
  /** Returns whether a change and its entry were committed. */
  isWritten(): boolean
}

/** Adds the entry to the transaction, to be written at commit. */
export function audit(tx: Tx, entry: AuditEntry): void {
  tx.writeLast(TOPIC, [entry], insertAudit)
}

/**
 * Returns the transactions of one audited request. The first one that commits also writes the entry, so that neither
 * the change nor its entry exists without the other. Work that resolves to null or false changed nothing and writes
 * no entry.
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
