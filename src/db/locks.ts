import type { Tx } from './db-types.ts'

/**
 * SQL of an advisory lock's key from a number, `$1`. Advisory locks belong to the whole database, and each schema may
 * have another installation. A schema that does not exist yet is named by the search path.
 */
export const LOCK_KEY = "hashtextextended(coalesce(current_schema(), current_setting('search_path')), $1)"

/** The numbers of the advisory locks. Two that were equal would make each wait for the other. */
export const LOCKS = {
  migration: 7_306_085_241,
  firstTeam: 7_306_085_242,
  firstUser: 7_306_085_243,
  retention: 7_306_085_244,
  restore: 7_306_085_245,
  packing: 7_306_085_250,
} as const

export type LockName = keyof typeof LOCKS

/** Takes an exclusive advisory lock until the transaction ends. Waits for other holders. */
export async function lockAlone(tx: Tx, lock: LockName): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${LOCK_KEY})`, [LOCKS[lock]])
}

/** Sets a savepoint to which `rollBackTo` returns after a failed statement. */
export async function setSavepoint(tx: Tx, name: 'making_sender'): Promise<void> {
  await tx.query(`savepoint ${name}`)
}

export async function rollBackTo(tx: Tx, name: 'making_sender'): Promise<void> {
  await tx.query(`rollback to savepoint ${name}`)
}
