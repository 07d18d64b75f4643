import type { Tx } from '../db/db-types.ts'
import { notify } from '../db/listen.ts'

/** Notifies every process that a team's access has changed. Caches also expire without it. */
export async function hintAccessChanged(tx: Tx): Promise<void> {
  await notify(tx, 'sendwright_access')
}
