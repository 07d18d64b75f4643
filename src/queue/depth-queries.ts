import type { Queryable } from '../db/db-types.ts'

/** Destinations scanned; beyond these the result covers only the first ones. */
const DESTINATIONS_MAX = 10_000

/**
 * The first $1 destinations with ready deliveries, in index order, with the due time of the oldest. A loose index scan:
 * one probe each, however many rows wait there.
 */
export const READY_DESTINATIONS = `destination (team_id, domain, due_at, position) as (
       (select team_id, domain, due_at, 1
        from delivery
        where ready
        order by team_id, domain, due_at
        limit 1)
       union all
       select next.team_id, next.domain, next.due_at, p.position + 1
       from destination p
       cross join lateral (
         select d.team_id, d.domain, d.due_at
         from delivery d
         where d.ready and (d.team_id, d.domain) > (p.team_id, p.domain)
         order by d.team_id, d.domain, d.due_at
         limit 1
       ) next
       where p.position < $1
     )`

/** Returns how long the oldest claimable delivery has waited, in seconds; 0 when none waits. */
export async function oldestReadySeconds(db: Queryable, now: Date): Promise<number> {
  const rows = await db.query<{ oldest: Date | null }>(
    `with recursive ${READY_DESTINATIONS}
     select min(due_at) as oldest
     from destination`,
    [DESTINATIONS_MAX],
  )
  const oldest = rows[0]?.oldest ?? null
  return oldest === null ? 0 : Math.max(0, Math.round((now.getTime() - oldest.getTime()) / 1000))
}
