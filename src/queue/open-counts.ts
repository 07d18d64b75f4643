import type { Queryable } from '../db/db.ts'

/** What open deliveries wait for. */
export interface OpenCounts {
  /** May be claimed now. */
  ready: number
  /** In the hands of a process. */
  leased: number
  /** Waiting for their next try. */
  delayed: number
  /** Waiting for the time that their sender chose. */
  scheduled: number
}

/** Counted no further: a figure for graphs must not cost what the queue itself needs. */
export const OPEN_COUNT_MAX = 200_000

/** How many deliveries are open, by what they wait for; of those that are ready and of the others OPEN_COUNT_MAX each. */
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
