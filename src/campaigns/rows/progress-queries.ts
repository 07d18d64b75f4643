import { arrays } from '../../db/arrays.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import type { CampaignKey, RecipientState } from './recipients-queries.ts'

/** How far a campaign is: its recipients by state, and what was accepted lately. */
export interface CampaignProgress extends Record<RecipientState, number> {
  /** The emails accepted lately, of which those of five minutes earlier count a factor of e less, as of `recentAt`. */
  recent: number
  recentAt: Date | null
  recentSince: Date | null
  isAudienceDone: boolean
  /** When the hours of the next contacts begin; null: those of some have begun, or all have the same. */
  opensAt: Date | null
}

/** Returns the progress of a campaign; null before its start. */
export async function findProgress(
  db: Queryable,
  { teamId, id }: CampaignKey,
): Promise<CampaignProgress | null> {
  const rows = await db.query<CampaignProgress>(
    `select p.waiting, p.accepted, p.skipped, p.failed, p.recent, p.recent_at, p.recent_since,
       p.opens_at, c.audience_done as is_audience_done
     from campaign_progress p
     join campaign c on c.team_id = p.team_id and c.id = p.campaign_id
     where p.team_id = $1 and p.campaign_id = $2`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/** Returns the recipients by state of those campaigns of a page that have begun. */
export async function findRecipientCounts(
  db: Queryable,
  teamId: string,
  campaignIds: readonly string[],
): Promise<Map<string, Record<RecipientState, number>>> {
  const rows = await db.query<Record<RecipientState, number> & { campaignId: string }>(
    `select campaign_id, waiting, accepted, skipped, failed
     from campaign_progress
     where team_id = $1 and campaign_id = any ($2::uuid[])`,
    [teamId, arrays.uuid(campaignIds)],
  )
  return new Map(rows.map(({ campaignId, ...counts }) => [campaignId, counts]))
}

/** Returns when the next email of a campaign may be accepted; null: none was limited yet. */
export async function findPacedUntil(db: Queryable, { teamId, id }: CampaignKey): Promise<Date | null> {
  const rows = await db.query<{ pacedUntil: Date | null }>(
    'select paced_until from campaign_progress where team_id = $1 and campaign_id = $2',
    [teamId, id],
  )
  return rows[0]?.pacedUntil ?? null
}

/** Returns the same, locked until the transaction ends, so that two processes do not both use what the rate permits. */
export async function lockPacedUntil(tx: Tx, { teamId, id }: CampaignKey): Promise<Date | null> {
  const rows = await tx.query<{ pacedUntil: Date | null }>(
    'select paced_until from campaign_progress where team_id = $1 and campaign_id = $2 for update',
    [teamId, id],
  )
  return rows[0]?.pacedUntil ?? null
}

/** Saves when the hours of the next contacts begin; null: those of some have. */
export async function saveOpensAt(
  db: Queryable,
  { teamId, id }: CampaignKey,
  opensAt: Date | null,
): Promise<void> {
  await db.query('update campaign_progress set opens_at = $3 where team_id = $1 and campaign_id = $2', [
    teamId,
    id,
    opensAt,
  ])
}
