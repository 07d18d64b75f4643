import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'

/** The link that stands for all links of a campaign beyond its first LINKS_MAX. No digest of a URL is zero. */
export const OTHER_LINKS = '00000000-0000-0000-0000-000000000000'

/** Returns the SQL for the id of a link: the beginning of the SHA-256 of its URL. */
const linkIdOf = (url: string) => `encode(substr(sha256(convert_to(${url}, 'UTF8')), 1, 16), 'hex')::uuid`

/** A click in an email, by a person or a machine. */
export interface Click {
  emailId: string
  linkId: string
  url: string
  isMachine: boolean
  /** Whether it is the first one of a person on this link of this email. */
  isFirst: boolean
}

export interface LinkKey {
  teamId: string
  campaignId: string
  linkId: string
}

/** The counts of one link of a campaign. */
export interface LinkRow extends LinkKey {
  /** Null for OTHER_LINKS. */
  url: string | null
  clicked: number
  clickedUnique: number
  clickedMachine: number
}

const EVENTS = batchOf('team_id uuid, subject_id uuid, position int8')

const READ_CLICKS = `with click as (
    select v.team_id, v.subject_id, v.position, v.data ->> 'link' as url,
      v.data -> 'is_machine' is not distinct from 'true'::jsonb as is_machine
    from (select distinct team_id, subject_id from unnest(${EVENTS.arrays}) as n (${EVENTS.names})) k
    join event v on v.team_id = k.team_id and v.subject_id = k.subject_id and v.type = 'email.clicked'
    where v.data ->> 'link' <> ''
  ),
  ranked as (
    select c.*, not c.is_machine and c.position = min(c.position) filter (where not c.is_machine)
      over (partition by c.team_id, c.subject_id, c.url) as is_first
    from click c
  )
  select c.subject_id as email_id, c.position, c.url, c.is_machine, coalesce(c.is_first, false) as is_first,
    ${linkIdOf('c.url')} as link_id
  from ranked c
  where c.position = any ($3::int8[])`

/** Returns clicks by the positions of their events, without those whose link was erased. An email has at most some hundred. */
export async function readClicks(
  tx: Tx,
  events: readonly { teamId: string; subjectId: string; position: number }[],
): Promise<Click[]> {
  if (events.length === 0) return []
  const rows = await tx.query<Click & { position: number }>(READ_CLICKS, EVENTS.values(events))
  // Positions of one team may be those of other events of another team.
  const keys = new Set(events.map(({ subjectId, position }) => `${subjectId} ${position}`))
  return rows.filter(({ emailId, position }) => keys.has(`${emailId} ${position}`))
}

const KEYS = batchOf('team_id uuid, campaign_id uuid, link_id uuid')

const FIND_KNOWN_LINKS = `select k.team_id, k.campaign_id, k.link_id, n.count,
    exists (
      select from campaign_link l
      where l.team_id = k.team_id and l.campaign_id = k.campaign_id and l.link_id = k.link_id
    ) as is_known
  from unnest(${KEYS.arrays}) as k (${KEYS.names})
  join (
    select c.team_id, c.campaign_id, count(l.link_id)::int4 as count
    from (select distinct team_id, campaign_id from unnest(${KEYS.arrays}) as d (${KEYS.names})) c
    left join campaign_link l on l.team_id = c.team_id and l.campaign_id = c.campaign_id
    group by c.team_id, c.campaign_id
  ) n on n.team_id = k.team_id and n.campaign_id = k.campaign_id`

/** Returns which of the links have counts, and how many links their campaigns have, with their teams' feeds locked. */
export async function findKnownLinks(
  tx: Tx,
  links: readonly LinkKey[],
): Promise<(LinkKey & { isKnown: boolean; count: number })[]> {
  return tx.query<LinkKey & { isKnown: boolean; count: number }>(FIND_KNOWN_LINKS, KEYS.values(links))
}

const LINKS = batchOf(
  'team_id uuid, campaign_id uuid, link_id uuid, url text, clicked int8, clicked_unique int8, clicked_machine int8',
)

const ADD_LINK_COUNTS = `insert into campaign_link (${LINKS.names})
  select n.*
  from unnest(${LINKS.arrays}) as n (${LINKS.names})
  where exists (select from campaign c where c.team_id = n.team_id and c.id = n.campaign_id)
  on conflict (team_id, campaign_id, link_id) do update
  set url = coalesce(campaign_link.url, excluded.url), clicked = campaign_link.clicked + excluded.clicked,
    clicked_unique = campaign_link.clicked_unique + excluded.clicked_unique,
    clicked_machine = campaign_link.clicked_machine + excluded.clicked_machine`

/** Adds to the stored counts of links of campaigns that were not deleted, with their teams' feeds locked. */
export async function addLinkCounts(tx: Tx, rows: readonly LinkRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(ADD_LINK_COUNTS, LINKS.values(rows))
}

/**
 * Removes the URLs of links that nobody clicked but the recipients of these emails: a URL may name the person that it was made
 * for. Call it before the events are erased. Its lock keeps a count that has read them from writing the URL again.
 */
export async function eraseLinks(tx: Queryable, teamId: string, emailIds: readonly string[]): Promise<void> {
  if (emailIds.length === 0) return
  await tx.query('select 1 from metric_feed where team_id = $1 for update', [teamId])
  await tx.query(
    `update campaign_link l
     set url = null
     from (
       select distinct r.campaign_id, ${linkIdOf("v.data ->> 'link'")} as link_id
       from unnest($2::uuid[]) as k (id)
       join campaign_recipient r on r.team_id = $1 and r.email_id = k.id
       join event v on v.team_id = $1 and v.subject_id = k.id and v.type = 'email.clicked'
     ) n
     where l.team_id = $1 and l.campaign_id = n.campaign_id and l.link_id = n.link_id and l.clicked_unique <= 1`,
    [teamId, arrays.uuid(emailIds)],
  )
}
