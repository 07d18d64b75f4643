import type { Queryable, Tx } from './db.ts'

export interface Team {
  id: string
  /** Short name inside return paths: 8 characters of base32 in lower case. */
  tag: string
  name: string
  plan: string
  sendingPausedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

interface Row {
  id: string
  tag: string
  name: string
  plan: string
  sending_paused_at: Date | null
  created_at: Date
  updated_at: Date
}

const COLUMNS = 'id, tag, name, plan, sending_paused_at, created_at, updated_at'

function toTeam(row: Row): Team {
  return {
    id: row.id,
    tag: row.tag,
    name: row.name,
    plan: row.plan,
    sendingPausedAt: row.sending_paused_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
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
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [team.id, team.tag, team.name, team.plan, team.sendingPausedAt, team.createdAt, team.updatedAt],
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

/** Null when there is no such team. A team that is paused already keeps the time at which it was. */
export async function updateTeamPause(
  tx: Tx,
  teamId: string,
  isPaused: boolean,
  now: Date,
): Promise<Team | null> {
  const rows = await tx.query<Row>(
    `update team
     set sending_paused_at = case when $2 then coalesce(sending_paused_at, $3) end, updated_at = $3
     where id = $1
     returning ${COLUMNS}`,
    [teamId, isPaused, now],
  )
  return rows[0] === undefined ? null : toTeam(rows[0])
}

/** Whose return paths begin with the tag; null when nobody's do. */
export async function findTeamByTag(db: Queryable, tag: string): Promise<string | null> {
  const rows = await db.query<{ team_id: string }>('select team_id from team_tag where tag = $1', [tag])
  return rows[0]?.team_id ?? null
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
  const rows = await db.query<{ team_id: string }>(
    `select t.team_id
     from team_tag t
     where t.tag = $1
       and ($2::text is null
         or exists (select 1 from domain d where d.team_id = t.team_id and d.name = $2)
         or exists (select 1 from dkim_key k where k.team_id = t.team_id and k.domain_name = $2))`,
    [tag, domainName],
  )
  return rows[0]?.team_id ?? null
}

/** The oldest team; null on an empty installation. */
export async function findFirstTeam(db: Queryable): Promise<Team | null> {
  const rows = await db.query<Row>(`select ${COLUMNS} from team order by id limit 1`)
  return rows[0] === undefined ? null : toTeam(rows[0])
}
