import type { Queryable, Tx } from '../db/db-types.ts'

/** `reputation`: the service itself, because too much of its mail bounced or was complained about. */
export type PausedBy = 'operator' | 'reputation'

export interface Team {
  id: string
  /** Short name inside return paths: 8 characters of base32 in lower case. */
  tag: string
  name: string
  plan: string
  sendingPausedAt: Date | null
  /** Why, in words for its people; null: it is not paused, or nobody said. */
  sendingPausedReason: string | null
  sendingPausedBy: PausedBy | null
  /** Until then the service does not pause it by itself: an operator let it go on. */
  guardUntil: Date | null
  createdAt: Date
  updatedAt: Date
}

interface Row {
  id: string
  tag: string
  name: string
  plan: string
  sendingPausedAt: Date | null
  sendingPausedReason: string | null
  sendingPausedBy: PausedBy | null
  guardUntil: Date | null
  createdAt: Date
  updatedAt: Date
}

const COLUMNS =
  'id, tag, name, plan, sending_paused_at, sending_paused_reason, sending_paused_by, guard_until, created_at, updated_at'

function toTeam(row: Row): Team {
  return {
    id: row.id,
    tag: row.tag,
    name: row.name,
    plan: row.plan,
    sendingPausedAt: row.sendingPausedAt,
    sendingPausedReason: row.sendingPausedReason,
    sendingPausedBy: row.sendingPausedBy,
    guardUntil: row.guardUntil,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/** False when another team has the tag already; nothing was written then. */
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
  const rows = await db.query<Row>(`select ${COLUMNS} from team where id = $1`, [teamId])
  return rows[0] === undefined ? null : toTeam(rows[0])
}

/** Oldest first, for the operator. */
export async function listTeams(db: Queryable, after: string | null, countMax: number): Promise<Team[]> {
  const rows = await db.query<Row>(
    `select ${COLUMNS}
     from team
     where $1::uuid is null or id > $1
     order by id
     limit $2`,
    [after, countMax],
  )
  return rows.map(toTeam)
}

/** Null when there is no such team. */
export async function updateTeamPlan(tx: Tx, teamId: string, plan: string, now: Date): Promise<Team | null> {
  const rows = await tx.query<Row>(
    `update team
     set plan = $2, updated_at = $3
     where id = $1
     returning ${COLUMNS}`,
    [teamId, plan, now],
  )
  return rows[0] === undefined ? null : toTeam(rows[0])
}

/** Locks the team until the transaction ends. Null when there is no such team. */
export async function lockTeam(tx: Tx, teamId: string): Promise<Team | null> {
  const rows = await tx.query<Row>(`select ${COLUMNS} from team where id = $1 for update`, [teamId])
  return rows[0] === undefined ? null : toTeam(rows[0])
}

/** Writes whether and why the team's sending is paused. */
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

/** Whose return paths begin with the tag; null when nobody's do. */
export async function findTeamByTag(db: Queryable, tag: string): Promise<string | null> {
  const rows = await db.query<{ teamId: string }>('select team_id from team_tag where tag = $1', [tag])
  return rows[0]?.teamId ?? null
}

/**
 * Whose return paths begin with the tag and may stand at a domain's own host: the team has the domain, or had it when it
 * sent (its keys outlive it). @param domainName null for the host of the installation
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

/** The oldest team; null on an empty installation. */
export async function findFirstTeam(db: Queryable): Promise<Team | null> {
  const rows = await db.query<Row>(`select ${COLUMNS} from team order by id limit 1`)
  return rows[0] === undefined ? null : toTeam(rows[0])
}

/** Null when there is no such team. */
export async function updateTeamName(tx: Tx, teamId: string, name: string, now: Date): Promise<Team | null> {
  const rows = await tx.query<Row>(
    `update team
     set name = $2, updated_at = $3
     where id = $1
     returning ${COLUMNS}`,
    [teamId, name, now],
  )
  return rows[0] === undefined ? null : toTeam(rows[0])
}
