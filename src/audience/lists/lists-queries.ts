import { arrays } from '../../db/arrays.ts'
import { bumpCounters } from '../../db/counters.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import { FILTERED_TOTAL_MAX, type PageRange, queryRange, type Rows } from '../../db/page.ts'

/** A group of contacts that campaigns address together. */
export interface List {
  teamId: string
  id: string
  name: string
  contactCount: number
  createdAt: Date
  updatedAt: Date
}

export const LIST_COUNTER = 'lists'

/** `list_contacts:` is the prefix of listContactCounter (audience/lists/list-members-queries.ts). */
const SELECT = `select l.team_id, l.id, l.name, l.created_at, l.updated_at,
    coalesce((select k.value
              from counter k
              where k.team_id = l.team_id and k.name = 'list_contacts:' || l.id), 0) as contact_count`

export async function insertList(tx: Tx, list: Omit<List, 'contactCount'>): Promise<void> {
  const { teamId, id, name, createdAt, updatedAt } = list
  await tx.query(
    `insert into list (team_id, id, name, created_at, updated_at)
     values ($1, $2, $3, $4, $5)`,
    [teamId, id, name, createdAt, updatedAt],
  )
  await bumpCounters(tx, [{ teamId, name: LIST_COUNTER, by: 1 }])
}

export async function findList(db: Queryable, teamId: string, id: string): Promise<List | null> {
  const rows = await db.query<List>(`${SELECT} from list l where l.team_id = $1 and l.id = $2`, [teamId, id])
  return rows[0] ?? null
}

export async function listLists(db: Queryable, teamId: string, range: PageRange): Promise<Rows<List>> {
  return queryRange<List>(db, `${SELECT} from list l where l.team_id = $1`, [teamId], range, 'l.id')
}

/** Lists the lists that contain a contact, newest list first. */
export async function listListsOfContact(
  db: Queryable,
  teamId: string,
  contactId: string,
  range: PageRange,
): Promise<Rows<List>> {
  const select = `${SELECT}
     from list_member m
     join list l on l.team_id = m.team_id and l.id = m.list_id
     where m.team_id = $1 and m.contact_id = $2`
  return queryRange<List>(db, select, [teamId, contactId], range, 'm.list_id')
}

/** Counts the lists that contain a contact, at most FILTERED_TOTAL_MAX. */
export async function countListsOfContact(db: Queryable, teamId: string, contactId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count
     from (select 1
           from list_member m
           join list l on l.team_id = m.team_id and l.id = m.list_id
           where m.team_id = $1 and m.contact_id = $2
           limit ${FILTERED_TOTAL_MAX}) as memberships`,
    [teamId, contactId],
  )
  return rows[0]?.count ?? 0
}

/** Returns the ids of those lists that the team has. */
export async function findListIds(
  db: Queryable,
  teamId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.query<{ id: string }>(
    `select id
     from list
     where team_id = $1 and id = any($2::uuid[])`,
    [teamId, arrays.uuid(ids)],
  )
  return new Set(rows.map((row) => row.id))
}

/**
 * Returns the ids of those lists that the team has, and locks the lists against deletion until the transaction ends.
 * A later deletion then sweeps up the memberships written now.
 */
export async function holdLists(tx: Tx, teamId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.query<{ id: string }>(
    `select id
     from list
     where team_id = $1 and id = any($2::uuid[])
     order by id
     for key share`,
    [teamId, arrays.uuid(ids)],
  )
  return new Set(rows.map((row) => row.id))
}

/** Locks a list against every change and new use. Returns false if the team has no such list. */
export async function lockList(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const rows = await tx.query('select id from list where team_id = $1 and id = $2 for update', [teamId, id])
  return rows.length > 0
}

/** Returns false if the team has no such list. */
export async function saveListName(
  tx: Tx,
  teamId: string,
  id: string,
  name: string | null,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update list
     set name = coalesce($3, name), updated_at = $4
     where team_id = $1 and id = $2
     returning id`,
    [teamId, id, name, now],
  )
  return rows.length > 0
}

export async function deleteList(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx.query('delete from list where team_id = $1 and id = $2', [teamId, id])
  await bumpCounters(tx, [{ teamId, name: LIST_COUNTER, by: -1 }])
}

/** How a campaign prevents the deletion of what it names. */
export type CampaignUse = 'active' | 'excluded'

/**
 * Returns how campaigns use the list, or null. An active campaign goes to it; or one that may still go out leaves out its members:
 * by itself, by a segment with a condition on it, or by such conditions as of the start, while the audience is being read.
 */
export async function findListUse(tx: Tx, teamId: string, id: string): Promise<CampaignUse | null> {
  const rows = await tx.query<{ use: CampaignUse }>(
    `select 'active' as use
     from campaign_audience a
     join campaign c on c.team_id = a.team_id and c.id = a.campaign_id
     where a.team_id = $1 and a.kind = 'list' and a.used_id = $2 and c.status in ('scheduled', 'sending')
     union all
     select 'active'
     from campaign c
     join campaign_version v on v.team_id = c.team_id and v.campaign_id = c.id and v.version = c.version
     where c.team_id = $1 and c.status in ('sending', 'paused') and not c.audience_done
       and position($2::text in v.audience::text) > 0
     union all
     select 'excluded'
     from campaign_audience a
     join campaign c on c.team_id = a.team_id and c.id = a.campaign_id
     where a.team_id = $1 and a.kind = 'list' and a.used_id = $2 and a.is_excluded and c.status in ('draft', 'paused')
     union all
     select 'excluded'
     from segment s
     join campaign_audience a on a.team_id = s.team_id and a.kind = 'segment' and a.used_id = s.id
     join campaign c on c.team_id = a.team_id and c.id = a.campaign_id
     where s.team_id = $1 and a.is_excluded and c.status in ('draft', 'scheduled', 'sending', 'paused')
       and position($2::text in s.filters::text) > 0
     limit 1`,
    [teamId, id],
  )
  return rows[0]?.use ?? null
}

export async function isListInAutomation(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1
     from automation_use u
     join automation a on a.team_id = u.team_id and a.id = u.automation_id
     where u.team_id = $1 and u.kind = 'list' and u.used_id = $2 and a.status = 'active'
     limit 1`,
    [teamId, id],
  )
  return rows.length > 0
}
