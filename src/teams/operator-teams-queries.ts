import { arrays } from '../db/arrays.ts'
import type { Queryable, Tx } from '../db/db-types.ts'
import { escapeLike } from '../db/like.ts'
import type { Team } from './teams-queries.ts'
import { periodOf } from './usage-queries.ts'

/** A team as operators see it. */
export interface TeamOverview extends Omit<Team, 'tag'> {
  /** Number of users, counted up to MEMBERS_MAX. */
  members: number
  monthRecipients: number
  dayRecipients: number
  /** Emails accepted this month. */
  emails: number
}

export interface TeamFilter {
  id: string | null
  /** The start of the name, case-insensitive. */
  prefix: string | null
  isPaused: boolean | null
  /** The last id of the previous page. */
  after: string | null
}

const MEMBERS_MAX = 1000

/** Lists teams, newest first. */
export async function listTeamOverviews(
  db: Queryable,
  filter: TeamFilter,
  now: Date,
  countMax: number,
): Promise<TeamOverview[]> {
  const { month, day } = periodOf(now)
  const prefix = filter.prefix === null ? null : `${escapeLike(filter.prefix)}%`
  return db.query<TeamOverview>(
    `select t.id, t.name, t.plan, t.sending_paused_at,
       t.sending_paused_reason, t.sending_paused_by,
       t.guard_until, t.created_at, t.updated_at, m.members,
       coalesce(u.month_recipients, 0)::int8 as month_recipients,
       case when u.day = $6::date then u.day_recipients else 0 end::int8 as day_recipients,
       coalesce(u.emails, 0)::int8 as emails
     from team t
     left join usage u on u.team_id = t.id and u.month = $5::date
     cross join lateral (
       select count(*)::int4 as members
       from (select 1 from membership where team_id = t.id limit ${MEMBERS_MAX}) as counted
     ) m
     where ($1::uuid is null or t.id = $1)
       and ($2::text is null or t.name ilike $2)
       and ($3::boolean is null or (t.sending_paused_at is not null) = $3)
       and ($4::uuid is null or t.id < $4)
     order by t.id desc
     limit $7`,
    [filter.id, prefix, filter.isPaused, filter.after, month, day, countMax],
  )
}

/** Updates the name and plan of a team; null leaves a field unchanged. Returns false when the team does not exist. */
export async function updateTeamSettings(
  tx: Tx,
  teamId: string,
  { name, plan }: { name: string | null; plan: string | null },
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update team
     set name = coalesce($2, name), plan = coalesce($3, plan), updated_at = $4
     where id = $1
     returning id`,
    [teamId, name, plan, now],
  )
  return rows.length > 0
}

/** Returns the names of teams by id. */
export async function findTeamNames(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; name: string }>('select id, name from team where id = any ($1)', [
    arrays.uuid([...ids]),
  ])
  return new Map(rows.map(({ id, name }) => [id, name]))
}
