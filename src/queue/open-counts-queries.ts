import type { Queryable } from '../db/db-types.ts'

/** The numbers of open deliveries by state. */
export interface OpenCounts {
  /** Claimable now. */
  ready: number
  /** Held by a process. */
  leased: number
  /** Waiting for their next attempt. */
  delayed: number
  /** Waiting for their scheduled time. */
  scheduled: number
}

/** The counting limit: a graph must not cost what the queue itself needs. */
export const OPEN_COUNT_MAX = 200_000

/** Counts the open deliveries by state, up to OPEN_COUNT_MAX of those that are ready and of the others. */
export async function countOpen(db: Queryable): Promise<OpenCounts> {
  const rows = await db.query<{ state: keyof OpenCounts; count: number }>(
    `select 'ready' as state, count(*)::int4 as count
     from (select 1 from delivery where ready limit ${OPEN_COUNT_MAX}) as ready
     union all
     select state, count(*)::int4
     from (
       select case when leased_until is not null then 'leased' when status = 'scheduled' then 'scheduled' else 'delayed' end
         as state
       from delivery
       where due_at is not null and not ready
       limit ${OPEN_COUNT_MAX}
     ) as waiting
     group by state`,
  )
  const counts: OpenCounts = { ready: 0, leased: 0, delayed: 0, scheduled: 0 }
  for (const { state, count } of rows) counts[state] = count
  return counts
}
