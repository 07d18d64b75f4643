import { arrays } from '../db/arrays.ts'
import type { Db } from '../db/db-types.ts'

/** Rows per statement: few enough that no lock is held for long. */
const BATCH_COUNT_MAX = 1000

/**
 * Makes the deliveries due that were postponed for these sites, which respond again. Promotion then makes them ready.
 * Works in batches, each a separate statement, and skips rows that another process has locked.
 * @returns the number of deliveries made due
 */
export async function releaseWaiting(db: Db, sites: readonly string[], now: Date): Promise<number> {
  let count = 0
  for (;;) {
    const rows = await db.query(
      `with waiting as (
         select d.team_id, d.email_id, d.no
         from delivery d
         where d.waits_for = any ($1) and d.due_at > $2 and not d.ready and d.leased_by is null
         limit $3
         for update skip locked
       )
       update delivery d
       set due_at = $2, waits_for = null, updated_at = $2
       from waiting w
       where d.team_id = w.team_id and d.email_id = w.email_id and d.no = w.no
       returning d.no`,
      [arrays.text([...sites]), now, BATCH_COUNT_MAX],
    )
    count += rows.length
    if (rows.length < BATCH_COUNT_MAX) return count
  }
}
