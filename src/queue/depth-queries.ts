import type { Queryable } from '../db/db-types.ts'
import { classOf, type MailClass } from './mail-class.ts'

/** Destinations scanned; beyond these the result covers only the first ones. */
const DESTINATIONS_MAX = 10_000

/**
 * The first $1 destinations with ready deliveries, each for one class, in index order, with the due time of the oldest.
 * A loose index scan: one probe each, however many rows wait there.
 */
export const READY_DESTINATIONS = `destination (team_id, bulk, domain, due_at, position) as (
       (select team_id, bulk, domain, due_at, 1
        from delivery
        where ready
        order by team_id, bulk, domain, due_at
        limit 1)
       union all
       select next.team_id, next.bulk, next.domain, next.due_at, p.position + 1
       from destination p
       cross join lateral (
         select d.team_id, d.bulk, d.domain, d.due_at
         from delivery d
         where d.ready and (d.team_id, d.bulk, d.domain) > (p.team_id, p.bulk, p.domain)
         order by d.team_id, d.bulk, d.domain, d.due_at
         limit 1
       ) next
       where p.position < $1
     )`

/** Returns how long the oldest claimable delivery has waited, in seconds; 0 when none waits. */
export async function oldestReadySeconds(db: Queryable, now: Date): Promise<number> {
  return Math.max(...Object.values(await oldestReadyByClass(db, now)))
}

/** Returns that time for each class. */
export async function oldestReadyByClass(db: Queryable, now: Date): Promise<Record<MailClass, number>> {
  const rows = await db.query<{ isBulk: boolean; oldest: Date }>(
    `with recursive ${READY_DESTINATIONS}
     select bulk as is_bulk, min(due_at) as oldest
     from destination
     group by bulk`,
    [DESTINATIONS_MAX],
  )
  const seconds = { transactional: 0, bulk: 0 }
  for (const { isBulk, oldest } of rows) {
    seconds[classOf(isBulk)] = Math.max(0, Math.round((now.getTime() - oldest.getTime()) / 1000))
  }
  return seconds
}
