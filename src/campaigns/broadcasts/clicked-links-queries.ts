import type { Queryable } from '../../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../../db/page.ts'
import type { CampaignKey } from '../rows/recipients-queries.ts'

export interface ClickedLink {
  id: string
  url: string
  clicks: number
  /** How many recipients clicked it. */
  uniqueClicks: number
}

/** Returns a range of the links of a campaign that people clicked, without the row for links beyond LINKS_MAX. */
export async function listClickedLinks(
  db: Queryable,
  { teamId, id }: CampaignKey,
  range: PageRange,
): Promise<Rows<ClickedLink>> {
  const select = `select l.link_id as id, coalesce(l.url, '') as url, l.clicked as clicks, l.clicked_unique as unique_clicks
     from campaign_link l
     where l.team_id = $1 and l.campaign_id = $2 and l.url is not null and l.clicked > 0`
  return queryRange<ClickedLink>(db, select, [teamId, id], range, 'l.link_id')
}
