import { arrays } from '../db/arrays.ts'
import type { Queryable, Tx } from '../db/db-types.ts'
import { firstIdAt } from '../lib/ids.ts'

/** Which events are to be sent again. */
export interface ReplayRange {
  teamId: string
  webhookId: string
  /** Events of this time; the end is not part of it. */
  since: Date
  until: Date
  /** Empty: all. */
  types: readonly string[]
}

/** Events are numbered when they are committed, in processes whose clocks differ: so much their times may be out of order. */
const DISORDER_MS = 10 * 60_000
/** Of so many neighbours one is in time, whatever delayed the others. */
const NEIGHBOURS = 64

const later = (at: Date, ms: number) => new Date(Math.max(0, at.getTime() + ms))

/**
 * Between which numbers of the feed the events of a time are. The feed is in the order of time but for DISORDER_MS, so
 * its numbers are searched by halves: no index by time is kept for this.
 */
export async function findFeedRange(
  db: Queryable,
  { teamId, since, until }: ReplayRange,
  end: number,
): Promise<{ after: number; end: number }> {
  const from = await findFirstAt(db, teamId, later(since, -DISORDER_MS), end)
  const to = await findFirstAt(db, teamId, later(until, DISORDER_MS), end)
  // It is somewhere among these neighbours that events are too late.
  return { after: from - 1, end: Math.min(to + NEIGHBOURS, end) }
}

/** The first number up to `end` around which events are as late as `at`; `end + 1` when none is. */
async function findFirstAt(db: Queryable, teamId: string, at: Date, end: number): Promise<number> {
  let [low, high] = [1, end + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const newest = await findNewestNear(db, teamId, middle)
    if (newest === null || newest >= at) high = middle
    else low = middle + 1
  }
  return low
}

/** Null: no event has this number or a greater one. */
async function findNewestNear(db: Queryable, teamId: string, position: number): Promise<Date | null> {
  const rows = await db.query<{ newest: Date | null }>(
    `select max(created_at) as newest
     from (
       select created_at
       from event
       where team_id = $1 and position >= $2
       order by position
       limit $3
     ) e`,
    [teamId, position, NEIGHBOURS],
  )
  return rows[0]?.newest ?? null
}

/**
 * Makes deliveries of the events of the range behind number `after`, up to `end`, in their order.
 * @param ids of the new deliveries; no more than these are made
 * @returns how many, and the number of the last event
 */
export async function insertReplays(
  tx: Tx,
  { teamId, webhookId, since, until, types }: ReplayRange,
  { after, end }: { after: number; end: number },
  ids: readonly string[],
  now: Date,
): Promise<{ count: number; last: number | null }> {
  const rows = await tx.query<{ count: number; last: number | null }>(
    `with taken as (
       select subject_id, id, type, position
       from event
       where team_id = $1 and position > $5 and position <= $6
         and id >= $7
         and created_at >= $8 and created_at < $9
         and ($10::text[] is null or type = any ($10))
       order by position
       limit $11
     ),
     made as (
       insert into webhook_delivery (team_id, webhook_id, id, event_id, subject_id, type, status, due_at, tries,
         created_at, updated_at)
       select $1, $2, ($3::uuid[])[row_number() over (order by position)], id, subject_id, type, 'waiting', $4, '[]',
         $4, $4
       from taken
     )
     select count(*)::int4 as count, max(position) as last
     from taken`,
    [
      teamId,
      webhookId,
      arrays.uuid(ids),
      now,
      after,
      end,
      // No id is older than its event: partitions from before are left out.
      firstIdAt(since),
      since,
      until,
      types.length === 0 ? null : types,
      ids.length,
    ],
  )
  return rows[0] ?? { count: 0, last: null }
}

/** Failed deliveries of one statement, whose events may be of another time. */
const SCAN_MAX = 5_000

const REPLAY_FAILED = `
  with looked as materialized (
    select id, event_id, subject_id, type
    from webhook_delivery
    where team_id = $1 and webhook_id = $2 and status = 'failed' and status <> 'delivered' and id > $5
      and replayed_as is null
      and event_id is not null
    order by id
    limit ${SCAN_MAX}
    for update
  ),
  taken as materialized (
    select l.id, l.event_id, l.subject_id, l.type
    from looked l
    join event e on e.team_id = $1 and e.subject_id = l.subject_id and e.id = l.event_id
    where e.created_at >= $6 and e.created_at < $7
      and ($8::text[] is null or l.type = any ($8))
    order by l.id
    limit $9
  ),
  numbered as (
    select id, event_id, subject_id, type, ($3::uuid[])[row_number() over (order by id)] as new_id
    from taken
  ),
  moved as (
    update webhook_delivery d
    set replayed_as = n.new_id
    from numbered n
    where d.team_id = $1 and d.webhook_id = $2 and d.id = n.id
  ),
  made as (
    insert into webhook_delivery (team_id, webhook_id, id, event_id, subject_id, type, status, due_at, tries,
      created_at, updated_at)
    select $1, $2, new_id, event_id, subject_id, type, 'waiting', $4, '[]', $4, $4
    from numbered
  )
  select (select count(*)::int4 from taken) as count,
    case
      when (select count(*) from taken) = $9 then (select id from taken order by id desc limit 1)
      when (select count(*) from looked) = ${SCAN_MAX} then (select id from looked order by id desc limit 1)
    end as last`

/**
 * The same of the events whose delivery failed and was not made again yet, in the order of those deliveries, behind the
 * delivery `after`.
 * @returns how many, and up to which delivery it has come; null: there are no more
 */
export async function insertReplaysOfFailed(
  tx: Tx,
  { teamId, webhookId, since, until, types }: ReplayRange,
  after: string,
  ids: readonly string[],
  now: Date,
): Promise<{ count: number; last: string | null }> {
  const rows = await tx.query<{ count: number; last: string | null }>(REPLAY_FAILED, [
    teamId,
    webhookId,
    arrays.uuid(ids),
    now,
    after,
    since,
    until,
    types.length === 0 ? null : types,
    ids.length,
  ])
  return rows[0] ?? { count: 0, last: null }
}
