import type { Queryable } from '../db/db.ts'

/** Teams and destinations that are looked at; beyond these the figure is that of the first so many. */
const DESTINATIONS_MAX = 10_000

/**
 * Teams' destinations that have ready deliveries, the first $1 in the order of the index, with when the oldest was due. A
 * loose scan: one index probe each, however many wait there.
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

/** How long the oldest claimable delivery has waited, seconds; 0 when none waits. */
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
