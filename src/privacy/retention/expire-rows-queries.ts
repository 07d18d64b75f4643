import type { Queryable } from '../../db/db-types.ts'
import type { Week } from '../../db/partitions/drop-partitions.ts'
import type { PartitionedName } from '../../db/partitions/partitions.ts'
import { firstIdAt } from '../../lib/ids.ts'

/** A piece of one team's rows: those behind `after`, in the order of their keys. */
export interface Piece {
  teamId: string
  /** The last id that was looked at. */
  after: string
  /** Ids from here on stay. */
  before: string
  /** Emails that were scheduled for later than this stay, however old they are. */
  cutoff: Date
}

/** What became of a piece. */
export interface Expired {
  count: number
  /** Where to go on; null: that was all. */
  last: string | null
}

/** The id of a row, over which its table is partitioned. */
const ID_OF: Readonly<Record<PartitionedName | 'captured', string>> = {
  email: 'id',
  email_content: 'email_id',
  email_tag: 'email_id',
  delivery: 'email_id',
  attempt: 'email_id',
  event: 'id',
  webhook_delivery: 'id',
  captured: 'id',
}

/** The next teams behind `after` that have rows of these ids: one look into an index for each. */
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

/** The one row that `sumUp` selects. */
export interface PieceRow {
  count: number
  looked: number
  last: string | null
}

/** What became of the rows that were `looked` at, some of which are `gone`. */
export function sumUp(id: 'id' | 'email_id'): string {
  return `select (select count(*)::int4 from gone) as count, count(*)::int4 as looked,
       (select ${id} from looked order by ${id} desc limit 1) as last
     from looked`
}

/** A piece that was full may be followed by another. */
export function toExpired(rows: readonly PieceRow[], countMax: number): Expired {
  const row = rows[0]
  return { count: row?.count ?? 0, last: row?.looked === countMax ? row.last : null }
}

/** Up to which number of its feed all who follow it have come (drop-partitions.ts, findUnread). */
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
 * Deletes those of the next events of a team's feed, of a week, that are older than `before`: `countMax` are looked at.
 * The feed is in the order of time but for differences of clocks: behind a piece without an event to delete there is none.
 */
export async function expireEvents(
  db: Queryable,
  { teamId, week, before, readTo }: { teamId: string; week: Week; before: string; readTo: number },
  after: number,
  countMax: number,
): Promise<{ count: number; last: number | null }> {
  const rows = await db.query<{ count: number; looked: number; last: number | null }>(
    `with looked as materialized (
       select subject_id, id, position
       from event
       where team_id = $1 and position > $7 and position <= $2 and id >= $3 and id < $4
       order by position
       limit $6
     ),
     gone as (
       delete from event e
       using looked l
       where e.team_id = $1 and e.subject_id = l.subject_id and e.id = l.id and e.id >= $3 and e.id < $4 and e.id < $5
       returning 1
     )
     select (select count(*)::int4 from gone) as count, count(*)::int4 as looked, max(position) as last
     from looked`,
    [teamId, readTo, firstIdAt(week.from), firstIdAt(week.to), before, countMax, after],
  )
  const { count = 0, looked = 0, last = null } = rows[0] ?? {}
  return { count, last: count > 0 && looked === countMax ? last : null }
}

/** The webhooks of a team, also of deleted ones, that have deliveries in a week: one look into an index for each. */
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

/** Deletes deliveries of one webhook that nothing waits for. */
export async function expireWebhookDeliveries(
  db: Queryable,
  webhookId: string,
  { teamId, after, before }: Piece,
  countMax: number,
): Promise<Expired> {
  const rows = await db.query<PieceRow>(
    `with looked as materialized (
       select id
       from webhook_delivery
       where team_id = $1 and webhook_id = $2 and id > $3 and id < $4
       order by id
       limit $5
     ),
     gone as (
       delete from webhook_delivery d
       using looked l
       where d.team_id = $1 and d.webhook_id = $2 and d.id = l.id and d.id > $3 and d.id < $4 and d.due_at is null
       returning 1
     )
     ${sumUp('id')}`,
    [teamId, webhookId, after, before, countMax],
  )
  return toExpired(rows, countMax)
}

/** Deletes messages of a capture mailbox: content, in a table of its own. */
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
