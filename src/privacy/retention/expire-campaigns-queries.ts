import { batchOf } from '../../db/batch.ts'
import type { Queryable } from '../../db/db-types.ts'
import type { Expired } from './expire-rows-queries.ts'

/** A campaign, in the order in which rounds visit them. */
export interface CampaignPlace {
  teamId: string
  id: string
}

export interface EndedCampaign extends CampaignPlace {
  endedAt: Date | null
}

/** Returns the next campaigns after `after` that ended before a time and still have their versions, which go last. */
export async function listEndedCampaigns(
  db: Queryable,
  endedBefore: Date,
  after: CampaignPlace,
  countMax: number,
): Promise<EndedCampaign[]> {
  return db.query<EndedCampaign>(
    `select c.team_id, c.id, c.ended_at
     from campaign c
     where (c.team_id, c.id) > ($1::uuid, $2::uuid) and c.status in ('sent', 'canceled') and c.ended_at < $3
       and exists (select from campaign_version v where v.team_id = c.team_id and v.campaign_id = c.id)
     order by c.team_id, c.id
     limit $4`,
    [after.teamId, after.id, endedBefore, countMax],
  )
}

/**
 * The campaign, locked against being sent again. A retry needs the recipients that failed, and begins the period anew.
 */
const STILL_ENDED = `ended as materialized (
       select c.team_id, c.id
       from campaign c
       where c.team_id = $1 and c.id = $2 and c.status in ('sent', 'canceled') and c.ended_at < $3
       for share
     )`

/**
 * Deletes recipients of an ended campaign among the next `countMax` after a contact. Those whose email still waits stay: by them,
 * delivery finds that a campaign was canceled.
 */
export async function expireRecipients(
  db: Queryable,
  { teamId, id }: CampaignPlace,
  endedBefore: Date,
  after: string,
  countMax: number,
): Promise<Expired> {
  const rows = await db.query<{ count: number; scanned: number; last: string | null }>(
    `with ${STILL_ENDED},
     scanned as materialized (
       select r.contact_id, r.email_id
       from ended e
       join campaign_recipient r on r.team_id = e.team_id and r.campaign_id = e.id
       where r.contact_id > $4
       order by r.contact_id
       limit $5
     ),
     deleted as (
       delete from campaign_recipient r
       using scanned l
       where r.team_id = $1 and r.campaign_id = $2 and r.contact_id = l.contact_id and not exists (
         select from delivery d
         where d.team_id = $1 and d.email_id = l.email_id and d.due_at is not null
       )
       returning 1
     )
     select (select count(*)::int4 from deleted) as count, count(*)::int4 as scanned,
       (select contact_id from scanned order by contact_id desc limit 1) as last
     from scanned`,
    [teamId, id, endedBefore, after, countMax],
  )
  const { count = 0, scanned = 0, last = null } = rows[0] ?? {}
  return { count, last: scanned === countMax ? last : null }
}

/** Forgets the URLs that at most one recipient of a campaign followed: content can have a link for each person. Counts stay. */
export async function forgetPersonalLinks(db: Queryable, { teamId, id }: CampaignPlace): Promise<void> {
  await db.query(
    `update campaign_link set url = null
     where team_id = $1 and campaign_id = $2 and url is not null and clicked_unique <= 1`,
    [teamId, id],
  )
}

/** Deletes the versions of an ended campaign that has no recipients any more. Returns how many. */
export async function expireVersions(
  db: Queryable,
  { teamId, id }: CampaignPlace,
  endedBefore: Date,
): Promise<number> {
  const rows = await db.query(
    `with ${STILL_ENDED}
     delete from campaign_version v
     using ended e
     where v.team_id = e.team_id and v.campaign_id = e.id and not exists (
       select from campaign_recipient r
       where r.team_id = e.team_id and r.campaign_id = e.id
     )
     returning 1`,
    [teamId, id, endedBefore],
  )
  return rows.length
}

const CAMPAIGNS = batchOf('team_id uuid, id uuid')

/**
 * Deletes the figures of deleted campaigns and of their links, among the next `countMax` campaigns that have any: a count may be
 * saved just after the deletion. Finds each campaign with one index probe.
 */
export async function expireCampaignCounts(
  db: Queryable,
  after: CampaignPlace,
  countMax: number,
): Promise<{ count: number; last: CampaignPlace | null }> {
  const counted = await db.query<CampaignPlace & { isDeleted: boolean }>(
    `with recursive counted (team_id, campaign_id, no) as (
       (select team_id, campaign_id, 1
        from campaign_metric
        where (team_id, campaign_id) > ($1::uuid, $2::uuid)
        order by team_id, campaign_id
        limit 1)
       union all
       select next.team_id, next.campaign_id, counted.no + 1
       from counted
       cross join lateral (
         select m.team_id, m.campaign_id
         from campaign_metric m
         where (m.team_id, m.campaign_id) > (counted.team_id, counted.campaign_id)
         order by m.team_id, m.campaign_id
         limit 1
       ) as next
       where counted.no < $3
     )
     select k.team_id, k.campaign_id as id,
       not exists (select from campaign c where c.team_id = k.team_id and c.id = k.campaign_id) as is_deleted
     from counted k
     order by k.no`,
    [after.teamId, after.id, countMax],
  )
  const last = counted.length === countMax ? (counted.at(-1) ?? null) : null
  const deleted = counted.filter(({ isDeleted }) => isDeleted)
  let count = 0
  for (const table of deleted.length === 0 ? [] : (['campaign_metric', 'campaign_link'] as const)) {
    const rows = await db.query(
      `delete from ${table} r
       using unnest(${CAMPAIGNS.arrays}) as k (${CAMPAIGNS.names})
       where r.team_id = k.team_id and r.campaign_id = k.id
       returning 1`,
      CAMPAIGNS.values(deleted),
    )
    count += rows.length
  }
  return { count, last }
}
