import type { Queryable, Tx } from '../../db/db-types.ts'
import { FILTERED_TOTAL_MAX, type PageRange, queryRange, type Rows } from '../../db/page.ts'
import { together } from '../../db/transactions.ts'
import type { Audience } from '../audience/audience.ts'
import { AUDIENCE_COLUMN, deleteAudience, saveAudience } from '../audience/audience-queries.ts'
import type { SendWindow } from './send-window.ts'

export type CampaignStatus = 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'canceled'

/** Why a campaign is paused: by a person, or because it could not continue, and waits for a person. */
export type PausedReason = 'user' | 'quota' | 'reputation' | 'domain' | 'missed' | 'restored' | 'errors'

/** The fields that the owner sets. */
export interface CampaignContent {
  name: string
  senderId: string | null
  templateId: string | null
  audience: Audience
  subject: string | null
  /** The text that mail clients show behind the subject; never empty. */
  previewText: string | null
  /** Overrides that of the template or the sender; never empty. */
  replyTo: string | null
  html: string | null
  text: string | null
  scheduledAt: Date | null
  /** The most emails that are accepted in an hour; null: no limit. */
  ratePerHour: number | null
  /** The hours in which it is sent; null: always. */
  sendWindow: SendWindow | null
}

export interface Campaign extends CampaignContent {
  teamId: string
  id: string
  status: CampaignStatus
  /** Null unless it is paused. */
  pausedReason: PausedReason | null
  /** The number of the content that is sent; 0 before it starts. */
  version: number
  /** Whether all recipients are known. */
  isAudienceDone: boolean
  startedAt: Date | null
  endedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** A campaign without its large fields. */
export type CampaignSummary = Omit<Campaign, 'html' | 'text'>

/** The name of the counter for the `total` of the list. */
export const CAMPAIGN_COUNTER = 'campaigns'

/** The template that an inactive campaign refers to may be deleted. The reference is then null. */
const SUMMARY_COLUMNS = `c.team_id, c.id, c.name, c.sender_id,
  (select t.id from template t where t.team_id = c.team_id and t.id = c.template_id) as template_id,
  ${AUDIENCE_COLUMN},
  c.subject, c.preview_text, c.reply_to, c.status, c.paused_reason, c.version, c.audience_done as is_audience_done,
  c.started_at, c.ended_at, c.scheduled_at, c.created_at, c.updated_at, c.rate_per_hour, c.send_window`
const COLUMNS = `${SUMMARY_COLUMNS}, c.html, c.text`

function valuesOf(campaign: Campaign): unknown[] {
  return [
    campaign.teamId,
    campaign.id,
    campaign.name,
    campaign.senderId,
    campaign.templateId,
    campaign.previewText,
    campaign.replyTo,
    campaign.subject,
    campaign.html,
    campaign.text,
    campaign.status,
    campaign.scheduledAt,
    campaign.updatedAt,
    campaign.pausedReason,
    campaign.endedAt,
    campaign.ratePerHour,
    campaign.sendWindow === null ? null : JSON.stringify(campaign.sendWindow),
  ]
}

export async function insertCampaign(tx: Tx, campaign: Campaign): Promise<void> {
  await tx.query(
    `insert into campaign (team_id, id, name, sender_id, template_id, preview_text, reply_to, subject, html, text, status,
       scheduled_at, updated_at, paused_reason, ended_at, rate_per_hour, send_window, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    [...valuesOf(campaign), campaign.createdAt],
  )
  await saveAudience(tx, campaign)
}

/** Saves a locked campaign. */
export async function updateCampaign(tx: Tx, campaign: Campaign): Promise<void> {
  await tx.query(
    `update campaign
     set name = $3, sender_id = $4, template_id = $5, preview_text = $6, reply_to = $7, subject = $8, html = $9,
       text = $10, status = $11, scheduled_at = $12, updated_at = $13, paused_reason = $14, ended_at = $15,
       rate_per_hour = $16, send_window = $17
     where team_id = $1 and id = $2`,
    valuesOf(campaign),
  )
  await saveAudience(tx, campaign)
}

export async function findCampaign(db: Queryable, teamId: string, id: string): Promise<Campaign | null> {
  const rows = await db.query<Campaign>(
    `select ${COLUMNS}
     from campaign c
     where c.team_id = $1 and c.id = $2`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/** Returns whether the team has the campaign, without reading its content, which may have megabytes. */
export async function hasCampaign(db: Queryable, teamId: string, id: string): Promise<boolean> {
  const rows = await db.query('select 1 from campaign where team_id = $1 and id = $2', [teamId, id])
  return rows.length > 0
}

/** Returns the campaign for its change or deletion, locked until the transaction ends. */
export async function holdCampaign(tx: Tx, teamId: string, id: string): Promise<Campaign | null> {
  const rows = await tx.query<Campaign>(
    `select ${COLUMNS}
     from campaign c
     where c.team_id = $1 and c.id = $2
     for update of c`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/** @param status null for all */
export async function listCampaigns(
  db: Queryable,
  teamId: string,
  status: CampaignStatus | null,
  range: PageRange,
): Promise<Rows<CampaignSummary>> {
  const select = `select ${SUMMARY_COLUMNS} from campaign c where c.team_id = $1`
  return status === null
    ? queryRange<CampaignSummary>(db, select, [teamId], range, 'c.id')
    : queryRange<CampaignSummary>(db, `${select} and c.status = $2`, [teamId, status], range, 'c.id')
}

/** Counts campaigns up to FILTERED_TOTAL_MAX. */
export async function countCampaigns(db: Queryable, teamId: string, status: CampaignStatus): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count
     from (select 1 from campaign where team_id = $1 and status = $2 limit ${FILTERED_TOTAL_MAX}) as fitting`,
    [teamId, status],
  )
  return rows[0]?.count ?? 0
}

export async function deleteCampaign(tx: Tx, teamId: string, id: string): Promise<void> {
  await deleteAudience(tx, teamId, id)
  const key = [teamId, id]
  await together([
    tx.query('delete from campaign_progress where team_id = $1 and campaign_id = $2', key),
    tx.query('delete from campaign where team_id = $1 and id = $2', key),
  ])
}
