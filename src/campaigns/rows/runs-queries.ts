import type { Queryable, Tx } from '../../db/db-types.ts'
import { together } from '../../db/transactions.ts'
import type { TemplateVariable } from '../../templates/templates-queries.ts'
import type { FrozenAudience } from '../audience/audience.ts'
import type { CampaignStatus, PausedReason } from './campaigns-queries.ts'
import type { SendWindow } from './send-window.ts'

/** A campaign that this process sends. */
export interface Run {
  teamId: string
  id: string
  version: number
  /** Null only before its first version. */
  startedAt: Date | null
  audienceAfter: string | null
  isAudienceDone: boolean
  /** Up to which contact those that failed wait again, while a retry is under way. */
  retryAfter: string | null
  ratePerHour: number | null
  sendWindow: SendWindow | null
}

/** What all emails of a campaign have in common. */
export interface VersionContent {
  /** From, with or without a display name. */
  sender: string
  replyTo: string | null
  subject: string
  previewText: string | null
  html: string | null
  text: string | null
  variables: readonly TemplateVariable[]
}

/** The content of a campaign as of a start. */
export interface CampaignVersion extends VersionContent {
  teamId: string
  campaignId: string
  version: number
  audience: FrozenAudience
}

const RUN = `c.team_id, c.id, c.version, c.started_at, c.audience_after, c.audience_done as is_audience_done,
  c.retry_after, c.rate_per_hour, c.send_window`

/** A scheduled campaign whose time has come. */
export interface Due {
  teamId: string
  id: string
  /** Whether a version of Sendwright stored it that did not send campaigns. */
  predatesSending: boolean
}

/** Returns the scheduled campaigns whose time has come, the longest due first. */
export async function findDue(db: Queryable, now: Date, countMax: number): Promise<Due[]> {
  return db.query<Due>(
    `select team_id, id, predates_sending
     from campaign
     where status = 'scheduled' and scheduled_at <= $1
     order by scheduled_at
     limit $2`,
    [now, countMax],
  )
}

/**
 * Leases campaigns that are being sent and that no other process has, those first that were leased longest ago. The lease of a dead
 * process expires.
 */
export async function leaseRuns(
  db: Queryable,
  nodeId: string,
  times: { now: Date; until: Date },
  countMax: number,
): Promise<Run[]> {
  return db.query<Run>(
    `with free as (
       select c.team_id, c.id
       from campaign c
       where c.status = 'sending' and (c.leased_by is null or c.leased_until <= $2)
       order by c.leased_until nulls first, c.started_at
       limit $4
       for update skip locked
     )
     update campaign c
     set leased_by = $1, leased_until = $3
     from free f
     where c.team_id = f.team_id and c.id = f.id
     returning ${RUN}`,
    [nodeId, times.now, times.until, countMax],
  )
}

/** Extends the lease and returns the campaign as it is now; null if it is no longer being sent by this process. */
export async function extendRun(
  db: Queryable,
  { teamId, id }: Pick<Run, 'teamId' | 'id'>,
  nodeId: string,
  until: Date,
): Promise<Run | null> {
  const rows = await db.query<Run>(
    `update campaign c
     set leased_until = $4
     where c.team_id = $1 and c.id = $2 and c.status = 'sending' and c.leased_by = $3
     returning ${RUN}`,
    [teamId, id, nodeId, until],
  )
  return rows[0] ?? null
}

/** Ends a lease, and notes when, for the order of the next ones. */
export async function releaseRun(
  db: Queryable,
  { teamId, id }: Pick<Run, 'teamId' | 'id'>,
  nodeId: string,
  now: Date,
): Promise<void> {
  await db.query(
    `update campaign set leased_by = null, leased_until = $4 where team_id = $1 and id = $2 and leased_by = $3`,
    [teamId, id, nodeId, now],
  )
}

/** Locks the campaign for the change of its audience; null if it is no longer being sent. */
export async function holdRun(tx: Tx, teamId: string, id: string): Promise<Run | null> {
  const rows = await tx.query<Run>(
    `select ${RUN}
     from campaign c
     where c.team_id = $1 and c.id = $2 and c.status = 'sending'
     for update`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/** Saves how far the audience was read, in the transaction that adds its recipients. */
export async function saveAudienceProgress(
  tx: Tx,
  { teamId, id }: Pick<Run, 'teamId' | 'id'>,
  { after, isDone }: { after: string | null; isDone: boolean },
): Promise<void> {
  await tx.query(
    'update campaign set audience_after = $3, audience_done = $4 where team_id = $1 and id = $2',
    [teamId, id, after, isDone],
  )
}

/** Saves how far a retry came, in the transaction that lets recipients wait again; null: to the end. */
export async function saveRetryProgress(
  tx: Tx,
  { teamId, id }: Pick<Run, 'teamId' | 'id'>,
  after: string | null,
): Promise<void> {
  await tx.query('update campaign set retry_after = $3 where team_id = $1 and id = $2', [teamId, id, after])
}

/** The new status of a campaign, and what goes with it. */
export interface Move {
  status: CampaignStatus
  pausedReason: PausedReason | null
}

/** Changes the status of a locked campaign. Returns its name, for the event. */
export async function moveCampaign(
  tx: Tx,
  { teamId, id }: Pick<Run, 'teamId' | 'id'>,
  { status, pausedReason }: Move,
  now: Date,
): Promise<string> {
  const rows = await tx.query<{ name: string }>(
    `update campaign
     set status = $3, paused_reason = $4, updated_at = $5::timestamptz, leased_by = null, leased_until = null,
       ended_at = case when $3::text in ('sent', 'canceled') then $5::timestamptz end
     where team_id = $1 and id = $2
     returning name`,
    [teamId, id, status, pausedReason, now],
  )
  return rows[0]?.name ?? ''
}

/** Stores a version, and makes it the one that is sent. */
export async function insertVersion(tx: Tx, version: CampaignVersion, now: Date): Promise<void> {
  const { teamId, campaignId, sender, replyTo, subject, previewText, html, text, variables, audience } =
    version
  await together([
    tx.query(
      `insert into campaign_version (team_id, campaign_id, version, sender, reply_to, subject, html, text, variables,
         audience, preview_text, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $11, $12, $10)`,
      [
        teamId,
        campaignId,
        version.version,
        sender,
        replyTo,
        subject,
        html,
        text,
        JSON.stringify(variables),
        now,
        JSON.stringify(audience),
        previewText,
      ],
    ),
    tx.query('insert into campaign_progress (team_id, campaign_id) values ($1, $2) on conflict do nothing', [
      teamId,
      campaignId,
    ]),
    tx.query(
      `update campaign
       set version = $3, started_at = coalesce(started_at, $4)
       where team_id = $1 and id = $2`,
      [teamId, campaignId, version.version, now],
    ),
  ])
}

export async function findVersion(
  db: Queryable,
  run: Pick<Run, 'teamId' | 'id' | 'version'>,
): Promise<CampaignVersion | null> {
  const rows = await db.query<CampaignVersion>(
    `select team_id, campaign_id, version, sender, reply_to, subject, preview_text, html, text, variables, audience
     from campaign_version
     where team_id = $1 and campaign_id = $2 and version = $3`,
    [run.teamId, run.id, run.version],
  )
  return rows[0] ?? null
}

/**
 * Makes up to a thousand held deliveries of a campaign ready, so that they do not wait to be looked at again. Their lifetime begins
 * again, because a pause may have been longer. Returns how many.
 */
export async function releaseCampaignDeliveries(
  db: Queryable,
  { teamId, id }: Pick<Run, 'teamId' | 'id'>,
  category: string,
  now: Date,
): Promise<number> {
  const rows = await db.query(
    `with held as (
       select d.team_id, d.email_id, d.no, greatest(d.expires_at, $4::timestamptz + (d.expires_at - e.created_at)) as expires_at
       from delivery d
       join email e on e.team_id = d.team_id and e.id = d.email_id
       where d.team_id = $1 and d.due_at is not null and not d.ready and coalesce(d.leased_until, d.due_at) >= $4
         and d.leased_by is null and d.category = $3
         -- The offset keeps the planner from reading all recipients of the campaign for each delivery.
         and exists (
           select 1
           from campaign_recipient r
           where r.team_id = d.team_id and r.email_id = d.email_id and r.campaign_id = $2
           offset 0
         )
       order by d.team_id, d.email_id, d.no
       limit 1000
       for update of d skip locked
     )
     update delivery d
     set due_at = $4, category = null, response = null, ready = true, updated_at = $4, expires_at = h.expires_at
     from held h
     where d.team_id = h.team_id and d.email_id = h.email_id and d.no = h.no
     returning d.no`,
    [teamId, id, category, now],
  )
  return rows.length
}
