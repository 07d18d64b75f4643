import type { Queryable, Tx } from '../db/db-types.ts'

/** The kinds of data with a separate retention period. */
export const KEPT_KINDS = ['content', 'attempts', 'events', 'webhook_deliveries'] as const
export type KeptKind = (typeof KEPT_KINDS)[number]

/** The retention of one kind of data of one team. */
export interface TeamRetention {
  teamId: string
  kind: KeptKind
  /** Maximum set by the operator, in days: 0 for forever, null for the default of the installation. */
  limitDays: number | null
  /** Period set by the team, in days, or null for the maximum. */
  ownDays: number | null
}

const COLUMNS = 'team_id, kind, limit_days, own_days'

/** Lists the retention of all teams that have a setting. */
export async function listTeamRetention(db: Queryable): Promise<TeamRetention[]> {
  return db.query<TeamRetention>(`select ${COLUMNS} from team_retention order by team_id, kind`)
}

export async function findTeamRetention(db: Queryable, teamId: string): Promise<TeamRetention[]> {
  return db.query<TeamRetention>(`select ${COLUMNS} from team_retention where team_id = $1 order by kind`, [
    teamId,
  ])
}

/** Writes either the operator's limit or the team's period; the other stays unchanged. */
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

/** Returns whether any team has no setting, so that the defaults of the installation apply to it. */
export async function hasPlainTeam(db: Queryable): Promise<boolean> {
  const rows = await db.query(
    `select 1
     from team t
     where not exists (select 1 from team_retention r where r.team_id = t.id)
     limit 1`,
  )
  return rows.length > 0
}
