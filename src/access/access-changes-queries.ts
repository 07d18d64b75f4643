import type { Tx } from '../db/db-types.ts'

/** Notifies every process that a team's access has changed. Caches also expire without it. */
export async function hintAccessChanged(tx: Tx): Promise<void> {
  await tx.query(`select pg_notify('sendwright_access', '')`)
}
