import { batchOf } from '../../db/batch.ts'
import type { Tx } from '../../db/db-types.ts'
import type { Audience } from './audience.ts'

/**
 * Selects the audience of campaign `c`. A deleted list or segment is no longer included. It stays among the exclusions, so that
 * nobody gets a campaign because a list was deleted that kept them out.
 */
export const AUDIENCE_COLUMN = `(select json_build_object(
     'include', coalesce(json_agg(json_build_object('kind', a.kind, 'id', a.used_id) order by a.position)
       filter (where not a.is_excluded and (
         exists (select from list l where l.team_id = a.team_id and l.id = a.used_id)
         or exists (select from segment s where s.team_id = a.team_id and s.id = a.used_id))), '[]'),
     'exclude', coalesce(json_agg(json_build_object('kind', a.kind, 'id', a.used_id) order by a.position)
       filter (where a.is_excluded), '[]'))
   from campaign_audience a
   where a.team_id = c.team_id and a.campaign_id = c.id) as audience`

const ITEMS = batchOf('kind text, id uuid')

/** Replaces the audience of a locked campaign. */
export async function saveAudience(
  tx: Tx,
  { teamId, id, audience }: { teamId: string; id: string; audience: Audience },
): Promise<void> {
  await deleteAudience(tx, teamId, id)
  const { include, exclude } = audience
  const items = [...include, ...exclude]
  if (items.length === 0) return
  await tx.query(
    `insert into campaign_audience (team_id, campaign_id, is_excluded, kind, used_id, position)
     select $1, $2, r.position > $3::int4, r.kind, r.id, r.position - 1
     from unnest(${ITEMS.arraysFrom(4)}) with ordinality as r (${ITEMS.names}, position)`,
    [teamId, id, include.length, ...ITEMS.values(items)],
  )
}

export async function deleteAudience(tx: Tx, teamId: string, campaignId: string): Promise<void> {
  await tx.query('delete from campaign_audience where team_id = $1 and campaign_id = $2', [
    teamId,
    campaignId,
  ])
}
