import type { Db } from '../../db/db-types.ts'

/**
 * Deletes up to `countMax` recipients of deleted campaigns, and the versions of a campaign after its last recipient: by its
 * versions, the next call finds a campaign that is gone. Returns the number of deleted recipients.
 */
export async function sweepCampaigns(db: Db, countMax: number): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `with gone as materialized (
       select v.team_id, v.campaign_id
       from campaign_version v
       where not exists (select from campaign c where c.team_id = v.team_id and c.id = v.campaign_id)
       limit 1
     ),
     picked as (
       select r.team_id, r.campaign_id, r.contact_id
       from gone g
       join campaign_recipient r on r.team_id = g.team_id and r.campaign_id = g.campaign_id
       limit $1
     ),
     deleted as (
       delete from campaign_recipient r
       using picked p
       where r.team_id = p.team_id and r.campaign_id = p.campaign_id and r.contact_id = p.contact_id
       returning 1
     ),
     emptied as (
       delete from campaign_version v
       using gone g
       where v.team_id = g.team_id and v.campaign_id = g.campaign_id and (select count(*) from picked) < $1
     )
     select count(*)::int4 as count from deleted`,
    [countMax],
  )
  return rows[0]?.count ?? 0
}
