import type { Queryable } from '../db/db-types.ts'
import { ALL_DOMAINS, REPORT_VALID_MS } from './closed-domains.ts'
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

/**
 * Returns how long the oldest delivery that could be sent now has waited, in seconds; 0 when none waits. Mail to domains
 * that a live process reports as closed waits for a server, not for us.
 */
export async function oldestReadySeconds(db: Queryable, now: Date): Promise<number> {
  return Math.max(...Object.values(await oldestReadyByClass(db, now)))
}

/**
 * Returns that time for each class. `not in` is looked up in a hash table; PostgreSQL would join an anti-join by nested
 * loops, because it expects few destinations, and 10,000 of them would take seconds.
 */
export async function oldestReadyByClass(db: Queryable, now: Date): Promise<Record<MailClass, number>> {
  const rows = await db.query<{ isBulk: boolean; oldest: Date }>(
    `with recursive ${READY_DESTINATIONS},
     closed as (
       select unnest(r.closed_domains) as domain
       from site_reporter r
       where r.reported_at >= $2
     )
     select d.bulk as is_bulk, min(d.due_at) as oldest
     from destination d
     where d.domain not in (select c.domain from closed c)
       and '${ALL_DOMAINS}' not in (select c.domain from closed c)
     group by d.bulk`,
    [DESTINATIONS_MAX, new Date(now.getTime() - REPORT_VALID_MS)],
  )
  const seconds = { transactional: 0, bulk: 0 }
  for (const { isBulk, oldest } of rows) {
    seconds[classOf(isBulk)] = Math.max(0, Math.round((now.getTime() - oldest.getTime()) / 1000))
  }
  return seconds
}
