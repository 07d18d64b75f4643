import { arrays } from '../db/arrays.ts'
import { batchOf } from '../db/batch.ts'
import type { Queryable, Tx } from '../db/db-types.ts'
import { together } from '../db/transactions.ts'
import { firstIdAt } from '../lib/ids.ts'

/** Selects the events to send again. */
export interface ReplayRange {
  teamId: string
  webhookId: string
  /** The start and the exclusive end of the events' time. */
  since: Date
  until: Date
  /** Empty for all types. */
  types: readonly string[]
}

/**
 * Events are numbered when they are committed, by processes whose clocks differ. Their times may be out of order by
 * this much.
 */
const DISORDER_MS = 10 * 60_000
/** Among this many neighbours, at least one has the right time, whatever delayed the others. */
const NEIGHBOURS = 64

const later = (at: Date, ms: number) => new Date(Math.max(0, at.getTime() + ms))

/**
 * Returns the range of feed positions that contains the events of a time. The feed is in time order up to
 * DISORDER_MS, so a binary search finds the range without an index by time.
 */
export async function findFeedRange(
  db: Queryable,
  { teamId, since, until }: ReplayRange,
  end: number,
): Promise<{ after: number; end: number }> {
  const from = await findFirstAt(db, teamId, later(since, -DISORDER_MS), end)
  const to = await findFirstAt(db, teamId, later(until, DISORDER_MS), end)
  // Later events begin somewhere among these neighbours.
  return { after: from - 1, end: Math.min(to + NEIGHBOURS, end) }
}

/** Returns the first position up to `end` around which events are as late as `at`, or `end + 1`. */
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

/** Returns null if no event has this position or a greater one. */
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
 * Returns the position of the next event after `after`, up to `end`; `end + 1` if there is none. Retention leaves gaps in the
 * numbers, and a restore one of a billion, which must not be scanned.
 */
export async function findNextPosition(
  db: Queryable,
  teamId: string,
  after: number,
  end: number,
): Promise<number> {
  const rows = await db.query<{ position: number }>(
    `select position
     from event
     where team_id = $1 and position > $2 and position <= $3
     order by position
     limit 1`,
    [teamId, after, end],
  )
  return rows[0]?.position ?? end + 1
}

/** The deliveries that a statement creates. */
export interface NewReplays {
  /** Their ids, which limit their number. */
  ids: readonly string[]
  now: Date
  /** The first is due a microsecond later, each a microsecond after the one before: the queue sends them in this order. */
  dueAfter: Date
}

/**
 * Creates deliveries of the events in the range after position `after`, up to `end`, in order.
 * @returns the number of deliveries, and the position of the last event
 */
export async function insertReplays(
  tx: Tx,
  { teamId, webhookId, since, until, types }: ReplayRange,
  { after, end }: { after: number; end: number },
  { ids, now, dueAfter }: NewReplays,
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
       select $1, $2, ($3::uuid[])[n.no], n.id, n.subject_id, n.type, 'waiting',
         $12::timestamptz + n.no * interval '1 microsecond', '[]', $4, $4
       from (select *, row_number() over (order by position) as no from taken) n
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
      // No id is older than its event, so earlier partitions are skipped.
      firstIdAt(since),
      since,
      until,
      types.length === 0 ? null : types,
      ids.length,
      dueAfter,
    ],
  )
  return rows[0] ?? { count: 0, last: null }
}

/** The limit on failed deliveries scanned by one statement. Their events may be outside the time range. */
const SCAN_MAX = 5_000

/** Locks failed deliveries. Returns those to replay, and the last one covered. */
const LOCK_FAILED = `
  with scanned as materialized (
    select id, event_id, subject_id, type
    from webhook_delivery
    where team_id = $1 and webhook_id = $2 and status = 'failed' and status <> 'delivered' and id > $3
      and replayed_as is null
      and event_id is not null
    order by id
    limit ${SCAN_MAX}
    for update
  ),
  taken as materialized (
    select l.id
    from scanned l
    join event e on e.team_id = $1 and e.subject_id = l.subject_id and e.id = l.event_id
    where e.created_at >= $4 and e.created_at < $5
      and ($6::text[] is null or l.type = any ($6))
    order by l.id
    limit $7
  )
  select array(select id from taken order by id) as ids,
    case
      when (select count(*) from taken) = $7 then (select id from taken order by id desc limit 1)
      when (select count(*) from scanned) = ${SCAN_MAX} then (select id from scanned order by id desc limit 1)
    end as last`

const REPLAYS = batchOf('id uuid, new_id uuid')

const MARK_REPLAYED = `
  update webhook_delivery d
  set replayed_as = n.new_id
  from unnest(${REPLAYS.arraysFrom(3)}) as n (${REPLAYS.names})
  where d.team_id = $1 and d.webhook_id = $2 and d.id = n.id`

const INSERT_AGAIN = `
  insert into webhook_delivery (team_id, webhook_id, id, event_id, subject_id, type, status, due_at, tries,
    created_at, updated_at)
  select d.team_id, d.webhook_id, n.new_id, d.event_id, d.subject_id, d.type, 'waiting',
    $4::timestamptz + n.no * interval '1 microsecond', '[]', $3, $3
  from unnest(${REPLAYS.arraysFrom(5)}) with ordinality as n (${REPLAYS.names}, no)
  join webhook_delivery d on d.team_id = $1 and d.webhook_id = $2 and d.id = n.id`

/**
 * Creates deliveries of the events whose delivery failed and was not replayed yet, in the order of the failed
 * deliveries, after the delivery `after`.
 * @returns the number of deliveries, and the last failed delivery covered; null if there are no more
 */
export async function insertReplaysOfFailed(
  tx: Tx,
  { teamId, webhookId, since, until, types }: ReplayRange,
  after: string,
  { ids, now, dueAfter }: NewReplays,
): Promise<{ count: number; last: string | null }> {
  const [failed = { ids: [], last: null }] = await tx.query<{ ids: string[]; last: string | null }>(
    LOCK_FAILED,
    [teamId, webhookId, after, since, until, types.length === 0 ? null : types, ids.length],
  )
  const replays = REPLAYS.values(failed.ids.map((id, index) => ({ id, newId: ids[index] as string })))
  if (failed.ids.length > 0)
    await together([
      tx.query(MARK_REPLAYED, [teamId, webhookId, ...replays]),
      tx.query(INSERT_AGAIN, [teamId, webhookId, now, dueAfter, ...replays]),
    ])
  return { count: failed.ids.length, last: failed.last }
}
