import type { Queryable } from '../../db/db-types.ts'
import { OTHER_LINKS } from '../../metrics/campaigns/link-counts-queries.ts'
import type { CampaignKey } from '../rows/recipients-queries.ts'

/** A link of a campaign that was clicked. */
export interface CampaignLink {
  /** The beginning of the SHA-256 of the URL; OTHER_LINKS for the rest. */
  id: string
  /** Null for the rest: links beyond LINKS_MAX, and links that only erased people clicked. */
  url: string | null
  clicked: number
  /** Recipients who clicked it. */
  clickedUnique: number
  clickedMachine: number
}

/** Returns the clicked links of a campaign (LINKS_MAX and one at most), those with most recipients first. The rest is last. */
export async function listCampaignLinks(db: Queryable, { teamId, id }: CampaignKey): Promise<CampaignLink[]> {
  return db.query<CampaignLink>(
    `select l.id, max(l.url) as url, sum(l.clicked)::int8 as clicked, sum(l.clicked_unique)::int8 as clicked_unique,
       sum(l.clicked_machine)::int8 as clicked_machine
     from (
       select case when url is null then '${OTHER_LINKS}'::uuid else link_id end as id, url, clicked,
         clicked_unique, clicked_machine
       from campaign_link
       where team_id = $1 and campaign_id = $2
     ) l
     group by l.id
     order by max(l.url) is null, sum(l.clicked_unique) desc, sum(l.clicked) desc, l.id`,
    [teamId, id],
  )
}
