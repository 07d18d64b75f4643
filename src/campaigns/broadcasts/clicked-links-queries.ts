import type { Queryable } from '../../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../../db/page.ts'

/** The emails whose clicks are read: one index probe each, which together stay below the time limit of a list. */
export const CLICKED_EMAILS_MAX = 100_000

export interface ClickedLink {
  /** A hash of the URL, so that a link keeps its place in the list while it is clicked. */
  id: string
  url: string
  clicks: number
  /** How many recipients clicked it. */
  uniqueClicks: number
}

/** Returns a range of the links that people followed in the latest CLICKED_EMAILS_MAX emails of a campaign. */
export async function listClickedLinks(
  db: Queryable,
  { teamId, id }: { teamId: string; id: string },
  range: PageRange,
): Promise<Rows<ClickedLink>> {
  const select = `select l.id, l.url, l.clicks, l.unique_clicks
     from (
       select encode(substr(sha256(convert_to(v.data ->> 'link', 'UTF8')), 1, 16), 'hex')::uuid as id,
         v.data ->> 'link' as url, count(*)::int4 as clicks, count(distinct v.subject_id)::int4 as unique_clicks
       from (
         select r.email_id
         from campaign_recipient r
         where r.team_id = $1 and r.campaign_id = $2 and r.email_id is not null
         order by r.email_id desc
         limit ${CLICKED_EMAILS_MAX}
       ) k
       join event v on v.team_id = $1 and v.subject_id = k.email_id and v.type = 'email.clicked'
       where v.data -> 'is_machine' is distinct from 'true'::jsonb and v.data ->> 'link' is not null
       group by v.data ->> 'link'
     ) l
     where true`
  return queryRange<ClickedLink>(db, select, [teamId, id], range, 'l.id')
}
