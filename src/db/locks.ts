import type { Tx } from './db-types.ts'

/**
 * SQL of an advisory lock's key from a number, `$1`. Advisory locks belong to the whole database, and each schema may
 * have another installation. A schema that does not exist yet is named by the search path.
 */
export const LOCK_KEY = "hashtextextended(coalesce(current_schema(), current_setting('search_path')), $1)"

/** Takes an exclusive advisory lock until the transaction ends. Waits for other holders. */
export async function lockAlone(tx: Tx, lock: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${LOCK_KEY})`, [lock])
}

/** Sets a savepoint to which `rollBackTo` returns after a failed statement. */
export async function setSavepoint(tx: Tx, name: 'making_sender'): Promise<void> {
  await tx.query(`savepoint ${name}`)
}

export async function rollBackTo(tx: Tx, name: 'making_sender'): Promise<void> {
  await tx.query(`rollback to savepoint ${name}`)
}
