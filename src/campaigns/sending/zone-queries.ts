import type { Queryable } from '../../db/db-types.ts'
import type { CampaignKey } from '../rows/recipients-queries.ts'

/** More than there are. */
const ZONES_MAX = 3000

/** Returns the time zones in which recipients wait, with one index probe each; empty: that of the campaign. */
export async function findWaitingZones(db: Queryable, { teamId, id }: CampaignKey): Promise<string[]> {
  const rows = await db.query<{ timeZone: string }>(
    `with recursive zone (time_zone, no) as (
       (select r.time_zone, 1
        from campaign_recipient r
        where r.team_id = $1 and r.campaign_id = $2 and r.state = 'waiting' and r.time_zone is not null
        order by r.time_zone
        limit 1)
       union all
       select next.time_zone, zone.no + 1
       from zone
       cross join lateral (
         select r.time_zone
         from campaign_recipient r
         where r.team_id = $1 and r.campaign_id = $2 and r.state = 'waiting' and r.time_zone > zone.time_zone
         order by r.time_zone
         limit 1
       ) as next
       where zone.no < ${ZONES_MAX}
     )
     select coalesce(time_zone, '') as time_zone
     from zone`,
    [teamId, id],
  )
  return rows.map(({ timeZone }) => timeZone)
}

/**
 * Returns the next waiting recipients in a time zone, in the order of their contacts.
 * @param range contacts behind `after`, up to `until`; null: from the first, to the last
 */
export async function pickWaitingIn(
  db: Queryable,
  { teamId, id }: CampaignKey,
  timeZone: string,
  countMax: number,
  { after, until }: { after: string | null; until: string | null },
): Promise<string[]> {
  const rows = await db.query<{ contactId: string }>(
    `select contact_id
     from campaign_recipient
     where team_id = $1 and campaign_id = $2 and state = 'waiting' and time_zone = $6
       and contact_id > coalesce($4::uuid, '00000000-0000-0000-0000-000000000000')
       and contact_id <= coalesce($5::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
     order by contact_id
     limit $3`,
    [teamId, id, countMax, after, until, timeZone],
  )
  return rows.map(({ contactId }) => contactId)
}
