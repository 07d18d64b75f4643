import type { Queryable, Tx } from '../db/db-types.ts'

/** `reputation`: the service paused the team because of too many bounces or complaints. */
export type PausedBy = 'operator' | 'reputation'

export interface Team {
  id: string
  /** Short name in return paths: 8 characters of lower-case base32. */
  tag: string
  name: string
  plan: string
  sendingPausedAt: Date | null
  /** The reason shown to members. Null if the team is not paused, or if no reason was given. */
  sendingPausedReason: string | null
  sendingPausedBy: PausedBy | null
  /** Until then the service does not pause the team, because an operator resumed it. */
  guardUntil: Date | null
  createdAt: Date
  updatedAt: Date
}

const COLUMNS =
  'id, tag, name, plan, sending_paused_at, sending_paused_reason, sending_paused_by, guard_until, created_at, updated_at'

/** Inserts a team. Returns false and writes nothing when another team already has the tag. */
export async function insertTeam(tx: Tx, team: Team): Promise<boolean> {
  const tags = await tx.query(
    `insert into team_tag (tag, team_id)
     values ($1, $2)
     on conflict (tag) do nothing
     returning tag`,
    [team.tag, team.id],
  )
  if (tags.length === 0) return false
  await tx.query(
    `insert into team (${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      team.id,
      team.tag,
      team.name,
      team.plan,
      team.sendingPausedAt,
      team.sendingPausedReason,
      team.sendingPausedBy,
      team.guardUntil,
      team.createdAt,
      team.updatedAt,
    ],
  )
  return true
}

export async function findTeam(db: Queryable, teamId: string): Promise<Team | null> {
  const rows = await db.query<Team>(`select ${COLUMNS} from team where id = $1`, [teamId])
  return rows[0] ?? null
}

/** Lists teams for the operator, oldest first. */
export async function listTeams(db: Queryable, after: string | null, countMax: number): Promise<Team[]> {
  return db.query<Team>(
    `select ${COLUMNS}
     from team
     where $1::uuid is null or id > $1
     order by id
     limit $2`,
    [after, countMax],
  )
}

/** Changes the plan of a team. Returns null if the team does not exist. */
export async function updateTeamPlan(tx: Tx, teamId: string, plan: string, now: Date): Promise<Team | null> {
  const rows = await tx.query<Team>(
    `update team
     set plan = $2, updated_at = $3
     where id = $1
     returning ${COLUMNS}`,
    [teamId, plan, now],
  )
  return rows[0] ?? null
}

/** Locks the team until the transaction ends. Returns null when it does not exist. */
export async function lockTeam(tx: Tx, teamId: string): Promise<Team | null> {
  const rows = await tx.query<Team>(`select ${COLUMNS} from team where id = $1 for update`, [teamId])
  return rows[0] ?? null
}

/** Updates the pause of a team. */
export async function updateTeamPause(tx: Tx, team: Team): Promise<void> {
  await tx.query(
    `update team
     set sending_paused_at = $2, sending_paused_reason = $3, sending_paused_by = $4, guard_until = $5, updated_at = $6
     where id = $1`,
    [
      team.id,
      team.sendingPausedAt,
      team.sendingPausedReason,
      team.sendingPausedBy,
      team.guardUntil,
      team.updatedAt,
    ],
  )
}

/** Returns the id of the team whose return paths start with the tag; null when no team has it. */
export async function findTeamByTag(db: Queryable, tag: string): Promise<string | null> {
  const rows = await db.query<{ teamId: string }>('select team_id from team_tag where tag = $1', [tag])
  return rows[0]?.teamId ?? null
}

/**
 * Returns the id of the team that has the tag and may use the host of the domain in return paths: the team has the
 * domain, or had it when it sent (its DKIM keys remain).
 * @param domainName null for the host of the installation
 */
export async function findReturnPathTeam(
  db: Queryable,
  tag: string,
  domainName: string | null,
): Promise<string | null> {
  const rows = await db.query<{ teamId: string }>(
    `select t.team_id
     from team_tag t
     where t.tag = $1
       and ($2::text is null
         or exists (select 1 from domain d where d.team_id = t.team_id and d.name = $2)
         or exists (select 1 from dkim_key k where k.team_id = t.team_id and k.domain_name = $2))`,
    [tag, domainName],
  )
  return rows[0]?.teamId ?? null
}

/** Returns the oldest team; null when none exists. */
export async function findFirstTeam(db: Queryable): Promise<Team | null> {
  const rows = await db.query<Team>(`select ${COLUMNS} from team order by id limit 1`)
  return rows[0] ?? null
}

/** Renames a team. Returns null if the team does not exist. */
export async function updateTeamName(tx: Tx, teamId: string, name: string, now: Date): Promise<Team | null> {
  const rows = await tx.query<Team>(
    `update team
     set name = $2, updated_at = $3
     where id = $1
     returning ${COLUMNS}`,
    [teamId, name, now],
  )
  return rows[0] ?? null
}
