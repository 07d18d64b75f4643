import type { Queryable } from '../db/db-types.ts'

/** What of a busy team's mail came back in the last hours, for the operator's graphs. */
export interface TeamRates {
  teamId: string
  attempted: number
  bouncedHard: number
  taken: number
  complained: number
}

/** The teams that sent most since then, `countMax` of them. */
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

/** How many events the enabled webhooks have not come to, all together, and how many deliveries wait for another try. */
export async function countWebhookBacklog(db: Queryable): Promise<{ untold: number; waiting: number }> {
  const rows = await db.query<{ untold: number; waiting: number }>(
    `select coalesce(sum(greatest(f.position - w.position, 0)), 0)::int8 as untold,
       (select count(*)::int4
        from (select 1 from webhook_delivery where due_at is not null limit 100000) as waiting) as waiting
     from webhook w
     join event_feed f on f.team_id = w.team_id
     where w.status = 'enabled'`,
  )
  return rows[0] ?? { untold: 0, waiting: 0 }
}
