import type { Queryable, Tx } from '../db/db-types.ts'

/** What has a period of its own. */
export const KEPT_KINDS = ['content', 'attempts', 'events', 'webhook_deliveries'] as const
export type KeptKind = (typeof KEPT_KINDS)[number]

/** What is said of one kind for one team. */
export interface TeamRetention {
  teamId: string
  kind: KeptKind
  /** By the operator, days; 0: for ever; null: what the installation says. */
  limitDays: number | null
  /** By the team itself, days; null: as long as it may. */
  ownDays: number | null
}

const COLUMNS = 'team_id, kind, limit_days, own_days'

/** Of all teams of which something is said. */
export async function listTeamRetention(db: Queryable): Promise<TeamRetention[]> {
  return db.query<TeamRetention>(`select ${COLUMNS} from team_retention order by team_id, kind`)
}

export async function findTeamRetention(db: Queryable, teamId: string): Promise<TeamRetention[]> {
  return db.query<TeamRetention>(`select ${COLUMNS} from team_retention where team_id = $1 order by kind`, [
    teamId,
  ])
}

/** Writes one side of what is said of a kind: the other stays as it is. */
export async function putTeamRetention(
  tx: Tx,
  side: 'limit_days' | 'own_days',
  { teamId, kind, days }: { teamId: string; kind: KeptKind; days: number | null },
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into team_retention (team_id, kind, ${side}, updated_at)
     values ($1, $2, $3, $4)
     on conflict (team_id, kind) do update
     set ${side} = excluded.${side}, updated_at = excluded.updated_at`,
    [teamId, kind, days, now],
  )
}

/** Whether any team has nothing said of it: then the installation's periods are in use. */
export async function hasPlainTeam(db: Queryable): Promise<boolean> {
  const rows = await db.query(
    `select 1
     from team t
     where not exists (select 1 from team_retention r where r.team_id = t.id)
     limit 1`,
  )
  return rows.length > 0
}
