import type { Db, Tx } from '../db/db.ts'
import { type AuditEntry, insertAudit } from './audit-queries.ts'

/** Comes before `events` in the one order of topics (db/db.ts), as in every transaction. */
const TOPIC = 'audit'
/** Statements that may change something bring their entry with them. */
const RETURNS = /\breturning\b/i
const WRITES = /\b(?:insert into|update|delete from|merge into)\b/i

export interface AuditedDb extends Db {
  /** Whether a change was committed, and the entry with it. */
  isWritten(): boolean
}

/**
 * The same database for one request: the first transaction that it commits writes the entry too, so that there is no change
 * without one. A transaction that is rolled back leaves neither. One whose work comes to null or false found nothing to
 * change, and so did a statement that returns what it changed and returns nothing.
 */
export function auditedDb(db: Db, entry: AuditEntry): AuditedDb {
  let isWritten = false
  async function run<T>(work: (tx: Tx) => Promise<T>, changes: (outcome: T) => boolean): Promise<T> {
    let hasChanged = false
    const result = await db.transaction(async (tx) => {
      const outcome = await work(tx)
      hasChanged = changes(outcome)
      if (hasChanged && !isWritten) tx.writeLast(TOPIC, [entry], insertAudit)
      return outcome
    })
    isWritten ||= hasChanged
    return result
  }
  return {
    ...db,
    transaction: (work) => run(work, (outcome) => outcome !== null && outcome !== false),
    query: (sql, values, options) =>
      WRITES.test(sql)
        ? run(
            (tx) => tx.query(sql, values, options),
            (rows) => rows.length > 0 || !RETURNS.test(sql),
          )
        : db.query(sql, values, options),
    isWritten: () => isWritten,
  }
}
