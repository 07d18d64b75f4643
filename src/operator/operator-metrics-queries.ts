import type { Queryable } from '../db/db-types.ts'

/** Delivery results of a busy team in recent hours, for the operator's graphs. */
export interface TeamRates {
  teamId: string
  attempted: number
  bouncedHard: number
  taken: number
  complained: number
}

/** Lists up to `countMax` teams with the most attempted recipients since `since`. */
export async function listBusiestTeams(db: Queryable, since: Date, countMax: number): Promise<TeamRates[]> {
  return db.query<TeamRates>(
    `select t.id as team_id, m.attempted, m.bounced_hard, m.taken, m.complained
     from team t
     cross join lateral (
       select sum(attempted)::int8 as attempted, sum(bounced_hard)::int8 as bounced_hard,
         sum(delivered + sent)::int8 as taken, sum(complained)::int8 as complained
       from metric
       where team_id = t.id and grain = 'hour' and dimension = 'all' and since >= $1
     ) m
     where m.attempted > 0
     order by m.attempted desc
     limit $2`,
    [since, countMax],
  )
}

/**
 * Counts the events that the enabled webhooks have not yet reached, and their deliveries that wait for a retry. The latter
 * are counted up to 100,000. Nobody sends those of disabled and deleted webhooks.
 */
export async function countWebhookBacklog(db: Queryable): Promise<{ untold: number; waiting: number }> {
  const rows = await db.query<{ untold: number; waiting: number }>(
    `select coalesce(sum(greatest(f.position - w.position, 0)), 0)::int8 as untold,
       (select count(*)::int4
        from (
          select 1
          from webhook e
          cross join lateral (
            select 1
            from webhook_delivery
            where team_id = e.team_id and webhook_id = e.id and due_at is not null
            limit 100000
          ) d
          where e.status = 'enabled' and e.next_retry_at is not null
          limit 100000
        ) as waiting) as waiting
     from webhook w
     join event_feed f on f.team_id = w.team_id
     where w.status = 'enabled'`,
  )
  return rows[0] ?? { untold: 0, waiting: 0 }
}
