import type { Queryable } from '../../db/db-types.ts'
import type { Week } from '../../db/partitions/drop-partitions.ts'
import type { PartitionedName } from '../../db/partitions/partitions.ts'
import { firstIdAt } from '../../lib/ids.ts'

/** A batch of one team's rows after `after`, in key order. */
export interface Piece {
  teamId: string
  /** The last processed id. */
  after: string
  /** The first id that stays. */
  before: string
  /** Emails scheduled for later than this stay, however old they are. */
  cutoff: Date
}

/** The result of a batch. */
export interface Expired {
  count: number
  /** Where to continue; null at the end. */
  last: string | null
}

/** The id by which each table is partitioned. */
const ID_OF: Readonly<Record<PartitionedName | 'captured', string>> = {
  email: 'id',
  email_content: 'email_id',
  packed_content: 'email_id',
  email_tag: 'email_id',
  delivery: 'email_id',
  attempt: 'email_id',
  event: 'id',
  webhook_delivery: 'id',
  request_log: 'id',
  captured: 'id',
}

/** Returns the next teams after `after` that have rows with ids of the week, with one index probe per team. */
export async function listTeamsWithin(
  db: Queryable,
  table: PartitionedName | 'captured',
  { from, to }: Week,
  after: string | null,
  countMax: number,
): Promise<string[]> {
  const inWeek = `${ID_OF[table]} >= $2 and ${ID_OF[table]} < $3`
  const rows = await db.query<{ teamId: string }>(
    `with recursive team (team_id, no) as (
       (select team_id, 1
        from ${table}
        where ($1::uuid is null or team_id > $1) and ${inWeek}
        order by team_id
        limit 1)
       union all
       select (select r.team_id from ${table} r where r.team_id > team.team_id and ${inWeek} order by r.team_id limit 1),
         no + 1
       from team
       where team_id is not null and no < $4
     )
     select team_id
     from team
     where team_id is not null`,
    [after, firstIdAt(from), firstIdAt(to), countMax],
  )
  return rows.map((row) => row.teamId)
}

/** The row that `sumUp` selects. */
export interface PieceRow {
  count: number
  scanned: number
  last: string | null
}

/** Returns SQL for the result of a batch: the rows in `scanned`, some of which are in `deleted`. */
export function sumUp(id: 'id' | 'email_id'): string {
  return `select (select count(*)::int4 from deleted) as count, count(*)::int4 as scanned,
       (select ${id} from scanned order by ${id} desc limit 1) as last
     from scanned`
}

/** Converts the result. After a full batch, there may be another. */
export function toExpired(rows: readonly PieceRow[], countMax: number): Expired {
  const row = rows[0]
  return { count: row?.count ?? 0, last: row?.scanned === countMax ? row.last : null }
}

/** Returns the feed position up to which all readers have read (drop-partitions.ts, findUnread). */
export async function findReadTo(db: Queryable, teamId: string, failingBefore: Date): Promise<number> {
  const rows = await db.query<{ position: number }>(
    `select least(
       (select min(position)
        from webhook
        where team_id = $1 and status = 'enabled' and (failing_since is null or failing_since > $2)),
       coalesce((select position from metric_feed where team_id = $1), 0)
     ) as position`,
    [teamId, failingBefore],
  )
  return rows[0]?.position ?? 0
}

/**
 * Deletes events of a week that are older than `before` from the next `countMax` events of a team's feed. The feed is
 * in time order up to clock differences, so no later batch has an event to delete once one batch has none.
 */
export async function expireEvents(
  db: Queryable,
  { teamId, week, before, readTo }: { teamId: string; week: Week; before: string; readTo: number },
  after: number,
  countMax: number,
): Promise<{ count: number; last: number | null }> {
  const rows = await db.query<{ count: number; scanned: number; last: number | null }>(
    `with scanned as materialized (
       select subject_id, id, position
       from event
       where team_id = $1 and position > $7 and position <= $2 and id >= $3 and id < $4
       order by position
       limit $6
     ),
     deleted as (
       delete from event e
       using scanned l
       where e.team_id = $1 and e.subject_id = l.subject_id and e.id = l.id and e.id >= $3 and e.id < $4 and e.id < $5
       returning 1
     )
     select (select count(*)::int4 from deleted) as count, count(*)::int4 as scanned, max(position) as last
     from scanned`,
    [teamId, readTo, firstIdAt(week.from), firstIdAt(week.to), before, countMax, after],
  )
  const { count = 0, scanned = 0, last = null } = rows[0] ?? {}
  return { count, last: count > 0 && scanned === countMax ? last : null }
}

/** Returns a team's webhooks, even deleted ones, that have deliveries in a week, with one index probe per webhook. */
export async function listWebhooksWithin(
  db: Queryable,
  teamId: string,
  { from, to }: Week,
): Promise<string[]> {
  const inWeek = 'd.id >= $2 and d.id < $3'
  const rows = await db.query<{ webhookId: string }>(
    `with recursive webhook_in (webhook_id) as (
       (select d.webhook_id
        from webhook_delivery d
        where d.team_id = $1 and ${inWeek}
        order by d.webhook_id
        limit 1)
       union all
       select (
         select d.webhook_id
         from webhook_delivery d
         where d.team_id = $1 and d.webhook_id > webhook_in.webhook_id and ${inWeek}
         order by d.webhook_id
         limit 1
       )
       from webhook_in
       where webhook_id is not null
     )
     select webhook_id
     from webhook_in
     where webhook_id is not null`,
    [teamId, firstIdAt(from), firstIdAt(to)],
  )
  return rows.map((row) => row.webhookId)
}

/** Deletes the finished deliveries of one webhook, and all if it was deleted. */
export async function expireWebhookDeliveries(
  db: Queryable,
  webhookId: string,
  { teamId, after, before }: Piece,
  countMax: number,
): Promise<Expired> {
  const rows = await db.query<PieceRow>(
    `with scanned as materialized (
       select id
       from webhook_delivery
       where team_id = $1 and webhook_id = $2 and id > $3 and id < $4
       order by id
       limit $5
     ),
     deleted as (
       delete from webhook_delivery d
       using scanned l
       where d.team_id = $1 and d.webhook_id = $2 and d.id = l.id and d.id > $3 and d.id < $4
         and (d.due_at is null or not exists (select from webhook where team_id = $1 and id = $2))
       returning 1
     )
     ${sumUp('id')}`,
    [teamId, webhookId, after, before, countMax],
  )
  return toExpired(rows, countMax)
}

/** Deletes captured messages, which count as content but have a separate table. */
export async function expireCaptured(
  db: Queryable,
  { teamId, after, before }: Piece,
  countMax: number,
): Promise<Expired> {
  const rows = await db.query<{ id: string }>(
    `delete from captured c
     using (
       select id
       from captured
       where team_id = $1 and id > $2 and id < $3
       order by id
       limit $4
     ) l
     where c.team_id = $1 and c.id = l.id
     returning c.id`,
    [teamId, after, before, countMax],
  )
  const ids = rows.map((row) => row.id).sort()
  return { count: ids.length, last: ids.length === countMax ? (ids.at(-1) ?? null) : null }
}
