import { batchOf } from '../db/batch.ts'
import type { Queryable } from '../db/db-types.ts'
import type { DestinationKey } from './ready-destinations.ts'

export const TEAMS_PER_SLICE_MAX = 64

/** The newest rows that became ready since a time, by destination. */
export function readNews(db: Queryable, since: Date, countMax: number): Promise<NewsRow[]> {
  return db.query<NewsRow>(
    `select team_id, bulk as is_bulk, domain, min(due_at)::text as due_at, count(*)::int4 as count, min(updated_at) as oldest
     from (
       select d.team_id, d.bulk, d.domain, d.due_at, d.updated_at
       from delivery d
       where d.ready and d.updated_at >= $1
       order by d.updated_at desc
       limit $2
     ) news
     group by team_id, bulk, domain`,
    [since, countMax],
  )
}

/** Returns teams with at least one ready row, ordered by id: one index probe a team. */
export async function findReadyTeams(db: Queryable, afterTeam: string): Promise<string[]> {
  const rows = await db.query<{ teamId: string }>(
    `with recursive team (team_id, position) as (
       (select d.team_id, 1 from delivery d where d.ready and d.team_id > $1 order by d.team_id limit 1)
       union all
       select (select d.team_id from delivery d where d.ready and d.team_id > team.team_id order by d.team_id limit 1),
         team.position + 1
       from team
       where team.team_id is not null and team.position < $2
     )
     select team_id from team where team_id is not null`,
    [afterTeam, TEAMS_PER_SLICE_MAX],
  )
  return rows.map((row) => row.teamId)
}

interface NewsRow extends DestinationKey {
  dueAt: string
  count: number
  oldest: Date
}

interface DestinationRow extends DestinationKey {
  dueAt: string
  position: number
}

const DESTINATIONS = batchOf('team_id uuid, is_bulk bool, domain text')

/**
 * Returns each team's destinations after the given one, transactional before bulk, with the oldest due time of each: one
 * index probe a destination.
 */
export function findReadyDestinations(
  db: Queryable,
  after: readonly DestinationKey[],
  perTeamMax: number,
): Promise<DestinationRow[]> {
  return db.query<DestinationRow>(
    `with recursive destination (team_id, bulk, domain, due_at, position) as (
       select t.team_id, next.bulk, next.domain, next.due_at, 1
       from unnest(${DESTINATIONS.arraysFrom(2)}) as t (${DESTINATIONS.names})
       cross join lateral (
         select d.bulk, d.domain, d.due_at
         from delivery d
         where d.team_id = t.team_id and d.ready and (d.bulk, d.domain) > (t.is_bulk, t.domain)
         order by d.bulk, d.domain, d.due_at
         limit 1
       ) next
       union all
       select p.team_id, next.bulk, next.domain, next.due_at, p.position + 1
       from destination p
       cross join lateral (
         select d.bulk, d.domain, d.due_at
         from delivery d
         where d.team_id = p.team_id and d.ready and (d.bulk, d.domain) > (p.bulk, p.domain)
         order by d.bulk, d.domain, d.due_at
         limit 1
       ) next
       where p.position < $1
     )
     select team_id, bulk as is_bulk, domain, due_at::text as due_at, position
     from destination`,
    [perTeamMax, ...DESTINATIONS.values(after)],
  )
}
