import type { Tx } from './db-types.ts'

/** Takes an exclusive advisory lock until the transaction ends. Waits for other holders. */
export async function lockAlone(tx: Tx, lock: number): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [lock])
}

/** Sets a savepoint to which `rollBackTo` returns after a failed statement. */
export async function setSavepoint(tx: Tx, name: 'making_sender'): Promise<void> {
  await tx.query(`savepoint ${name}`)
}

export async function rollBackTo(tx: Tx, name: 'making_sender'): Promise<void> {
  await tx.query(`rollback to savepoint ${name}`)
}
