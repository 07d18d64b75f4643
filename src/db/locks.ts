import type { Tx } from './db-types.ts'

/** Waits until no other transaction holds this lock, and holds it until this one ends. */
export async function lockAlone(tx: Tx, lock: number): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [lock])
}

/** Marks the place to which `rollBackTo` takes the transaction back, after a statement that failed. */
export async function setSavepoint(tx: Tx, name: 'making_sender'): Promise<void> {
  await tx.query(`savepoint ${name}`)
}

export async function rollBackTo(tx: Tx, name: 'making_sender'): Promise<void> {
  await tx.query(`rollback to savepoint ${name}`)
}
