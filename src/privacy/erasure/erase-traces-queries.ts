import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'

/** An event as stored. */
export interface TracedEvent {
  subjectId: string
  id: string
  type: string
  data: Record<string, unknown>
  createdAt: Date
}

const EVENT_COLUMNS = 'e.subject_id, e.id, e.type, e.data, e.created_at'
/** Exactly the condition of index `event_email`. */
export const HAS_EMAIL = `e.type in (
    'contact.created', 'contact.updated', 'contact.deleted', 'contact.unsubscribed', 'suppression.added', 'suppression.removed'
  )`

/** Exactly the condition of index `event_email_more`. */
export const HAS_EMAIL_TOO = `e.type in ('contact.list_joined', 'contact.list_left', 'contact.event')`

/** Returns the events of these subjects, each subject's in their order. */
export async function listEventsOf(
  db: Queryable,
  teamId: string,
  subjectIds: readonly string[],
): Promise<TracedEvent[]> {
  return db.query<TracedEvent>(
    `select ${EVENT_COLUMNS}
     from unnest($2::uuid[]) as k (id)
     join event e on e.team_id = $1 and e.subject_id = k.id
     order by e.subject_id, e.id`,
    [teamId, arrays.uuid(subjectIds)],
  )
}

/** The position of a scan through the events of several subjects. */
export interface EventPlace {
  subjectId: string
  id: string
}

/** Returns the next events of these subjects, each subject's in their order. */
export async function pageEventsOfAll(
  db: Queryable,
  teamId: string,
  subjectIds: readonly string[],
  after: EventPlace,
  countMax: number,
): Promise<TracedEvent[]> {
  return db.query<TracedEvent>(
    `select ${EVENT_COLUMNS}
     from unnest($2::uuid[]) as k (id)
     join event e on e.team_id = $1 and e.subject_id = k.id
     where k.id >= $3 and (k.id > $3 or e.id > $4)
     order by e.subject_id, e.id
     limit $5`,
    [teamId, arrays.uuid(subjectIds), after.subjectId, after.id, countMax],
  )
}

/** Returns the next events of one subject. */
export async function pageEventsOf(
  db: Queryable,
  teamId: string,
  subjectId: string,
  after: string,
  countMax: number,
): Promise<TracedEvent[]> {
  return db.query<TracedEvent>(
    `select ${EVENT_COLUMNS}
     from event e
     where e.team_id = $1 and e.subject_id = $2 and e.id > $3
     order by e.id
     limit $4`,
    [teamId, subjectId, after, countMax],
  )
}

/** Returns the next events of contacts and suppressions that contain this address. */
export async function pageEventsWith(
  db: Queryable,
  teamId: string,
  address: string,
  after: string,
  countMax: number,
): Promise<TracedEvent[]> {
  const fromIndex = (condition: string) => `(select ${EVENT_COLUMNS}
      from event e
      where e.team_id = $1 and e.data ->> 'email' = $2 and ${condition} and e.id > $3
      order by e.id
      limit $4)`
  return db.query<TracedEvent>(
    `select *
     from (${fromIndex(HAS_EMAIL)} union all ${fromIndex(HAS_EMAIL_TOO)}) e
     order by id
     limit $4`,
    [teamId, address, after, countMax],
  )
}

/** Returns the next events of a team after a position. */
export async function pageFeed(
  db: Queryable,
  teamId: string,
  after: number,
  countMax: number,
): Promise<(TracedEvent & { position: number })[]> {
  return db.query<TracedEvent & { position: number }>(
    `select ${EVENT_COLUMNS}, e.position
     from event e
     where e.team_id = $1 and e.position > $2
     order by e.position
     limit $3`,
    [teamId, after, countMax],
  )
}

const EVENTS = batchOf('subject_id uuid, id uuid, data jsonb')

/** Saves new data of events. */
export async function saveEventData(tx: Tx, teamId: string, events: readonly TracedEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx.query(
    `update event e
     set data = k.data
     from unnest(${EVENTS.arraysFrom(2)}) as k (${EVENTS.names})
     where e.team_id = $1 and e.subject_id = k.subject_id and e.id = k.id`,
    [teamId, ...EVENTS.values(events)],
  )
}

/** The position of a scan through webhook responses. */
export interface AnswerPlace {
  webhookId: string
  id: string
}

/**
 * Scans the next `countMax` webhook deliveries and deletes responses that name the person, or that answered events of
 * emails to or from them, and what steps of automations say of them. Returns the position where it stopped, or null at the end. Responses have no index.
 */
export async function eraseAnswers(
  db: Queryable,
  teamId: string,
  after: AnswerPlace,
  { likes, pseudonym }: { likes: readonly string[]; pseudonym: string },
  countMax: number,
): Promise<AnswerPlace | null> {
  const rows = await db.query<AnswerPlace>(
    `with scanned as materialized (
       select w.webhook_id, w.id, w.answer <> '' and (
           lower(w.answer) like any ($4::text[])
           or exists (
             select from delivery d
             where d.team_id = $1 and d.email_id = w.subject_id and d.address_key = $6
           )
           or exists (select from email e where e.team_id = $1 and e.id = w.subject_id and e.sender_address = $6)
         ) as names,
         lower(w.payload::text) like any ($4::text[]) as calls
       from webhook_delivery w
       where w.team_id = $1 and (w.webhook_id, w.id) > ($2::uuid, $3::uuid)
       order by w.webhook_id, w.id
       limit $5
     ),
     cleared as (
       update webhook_delivery w
       set answer = case when l.names then null else w.answer end,
         payload = case when l.calls then '{"erased": true}' else w.payload end
       from scanned l
       where w.team_id = $1 and w.webhook_id = l.webhook_id and w.id = l.id and (l.names or l.calls)
     )
     select webhook_id, id
     from scanned
     offset $5 - 1`,
    [teamId, after.webhookId, after.id, arrays.text(likes), countMax, pseudonym],
  )
  return rows[0] ?? null
}

/** The conditions of a segment. */
export interface NamingFilters {
  id: string
  filters: unknown
}

/** Returns the conditions of segments that test for the person. */
export async function findNamingSegments(
  db: Queryable,
  teamId: string,
  likes: readonly string[],
): Promise<NamingFilters[]> {
  return db.query<NamingFilters>(
    `select id, filters
     from segment
     where team_id = $1 and lower(filters::text) like any ($2::text[])`,
    [teamId, arrays.text(likes)],
  )
}

export async function saveSegmentFilters(
  tx: Tx,
  teamId: string,
  { id, filters }: NamingFilters,
): Promise<void> {
  await tx.query('update segment set filters = $3::jsonb where team_id = $1 and id = $2', [
    teamId,
    id,
    JSON.stringify(filters),
  ])
}

/** The audience of a campaign as of a start, with the conditions of its segments. */
export interface NamingAudience {
  campaignId: string
  version: number
  audience: unknown
}

/** Returns the audiences of campaigns whose segments tested for the person. */
export async function findNamingVersions(
  db: Queryable,
  teamId: string,
  likes: readonly string[],
): Promise<NamingAudience[]> {
  return db.query<NamingAudience>(
    `select campaign_id, version, audience
     from campaign_version
     where team_id = $1 and lower(audience::text) like any ($2::text[])`,
    [teamId, arrays.text(likes)],
  )
}

export async function saveVersionAudience(
  tx: Tx,
  teamId: string,
  { campaignId, version, audience }: NamingAudience,
): Promise<void> {
  await tx.query(
    `update campaign_version
     set audience = $4::jsonb
     where team_id = $1 and campaign_id = $2 and version = $3`,
    [teamId, campaignId, version, JSON.stringify(audience)],
  )
}

/**
 * Deletes the cells of rows that the team's imports skipped. Nothing says whose row a cell belongs to, so any of them may be the
 * person's.
 */
export async function deleteImportCells(tx: Tx, teamId: string): Promise<void> {
  await tx.query('update csv_import_error set value = null where team_id = $1 and value is not null', [
    teamId,
  ])
}

/** The reply for which a site is paused. */
export interface NamingPause {
  name: string
  reason: string
}

/** Returns replies that name the person and for which sites of the installation are paused. */
export async function findNamingPauses(db: Queryable, likes: readonly string[]): Promise<NamingPause[]> {
  return db.query<NamingPause>(
    `select name, reason
     from site_pause
     where lower(reason) like any ($1::text[])`,
    [arrays.text(likes)],
  )
}

export async function savePauseReason(tx: Tx, { name, reason }: NamingPause): Promise<void> {
  await tx.query('update site_pause set reason = $2 where name = $1', [name, reason])
}
