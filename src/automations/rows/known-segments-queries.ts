import type { ContactCondition } from '../../audience/segments/contact-condition.ts'
import { arrays } from '../../db/arrays.ts'
import type { Place, Queryable, Tx } from '../../db/db-types.ts'

/** What is known of a segment whose members are remembered. */
export interface KnownSegment {
  teamId: string
  segmentId: string
  /** Contacts up to `until` were there before, and are read in the order of their ids: up to `after` so far. */
  after: string | null
  until: string | null
  isRead: boolean
  /** A hash of the conditions that its members were compared with; null: as an earlier version left them. */
  conditions: string | null
  /** When its conditions, or a property in them, were last changed, and whether that was noticed. */
  changedAt: Date
  isNoticed: boolean
  /** When its members are next compared without an event; null: never. */
  sweepAt: Date | null
  /** The last contact of the comparison under way; null: none is. */
  sweepAfter: string | null
}

export type SegmentKey = Pick<KnownSegment, 'teamId' | 'segmentId'>
/** What happens if another process has locked the row. */
export type RowLock = 'wait' | 'skip'

/** In milliseconds, which is all that comes back from here. */
const CHANGED_AT = `date_trunc('milliseconds', greatest(s.updated_at, (
  select max(p.updated_at)
  from segment_property u
  join property p on p.team_id = u.team_id and p.id = u.property_id
  where u.team_id = k.team_id and u.segment_id = k.segment_id
)))`

/**
 * Locks what is known of a segment. Returns null if its members are not remembered, the segment was deleted, or another process has
 * it and the lock skips that.
 */
export async function lockKnownSegment(
  tx: Tx,
  teamId: string,
  segmentId: string,
  lock: RowLock,
): Promise<KnownSegment | null> {
  const rows = await tx.query<KnownSegment>(
    `select k.team_id, k.segment_id, k.after, k.until, k.read as is_read, k.conditions, ${CHANGED_AT} as changed_at,
       k.changed_at is not distinct from ${CHANGED_AT} as is_noticed, k.sweep_at, k.sweep_after
     from automation_segment k
     join segment s on s.team_id = k.team_id and s.id = k.segment_id
     where k.team_id = $1 and k.segment_id = $2
     for update of k ${lock === 'skip' ? 'skip locked' : ''}`,
    [teamId, segmentId],
  )
  return rows[0] ?? null
}

/** Returns segments that were changed since their members were compared with their conditions, except those in `without`. */
export async function findChangedSegments(
  db: Queryable,
  without: readonly string[],
  countMax: number,
): Promise<SegmentKey[]> {
  return db.query<SegmentKey>(
    `select k.team_id, k.segment_id
     from automation_segment k
     join segment s on s.team_id = k.team_id and s.id = k.segment_id
     where k.changed_at is distinct from ${CHANGED_AT} and k.segment_id <> all ($1::uuid[])
     limit $2`,
    [arrays.uuid(without), countMax],
  )
}

/** Remembers which conditions of a locked segment its members are compared with. */
export async function saveConditions(
  tx: Tx,
  { teamId, segmentId, changedAt }: KnownSegment,
  conditions: string,
  sweepAt: Date | null,
): Promise<void> {
  await tx.query(
    `update automation_segment
     set conditions = $3, changed_at = $4, sweep_at = $5, sweep_after = null
     where team_id = $1 and segment_id = $2`,
    [teamId, segmentId, conditions, changedAt, sweepAt],
  )
}

/**
 * Begins to read the members of a locked segment anew. Those known before stay until `readSegmentMembers` comes to them: up to there,
 * nobody enters. Returns the last contact to read; null if there is none.
 */
export async function restartSegment(tx: Tx, { teamId, segmentId }: SegmentKey): Promise<string | null> {
  const rows = await tx.query<{ until: string | null }>(
    `update automation_segment
     set after = null, until = (select id from contact where team_id = $1 order by id desc limit 1), read = false
     where team_id = $1 and segment_id = $2
     returning until`,
    [teamId, segmentId],
  )
  return rows[0]?.until ?? null
}

/** Returns segments whose members are due to be compared without an event, those first that are due longest. */
export async function findSegmentsToSweep(db: Queryable, now: Date, countMax: number): Promise<SegmentKey[]> {
  return db.query<SegmentKey>(
    `select k.team_id, k.segment_id
     from automation_segment k
     join segment s on s.team_id = k.team_id and s.id = k.segment_id
     where k.sweep_at <= $1 and k.read
     order by k.sweep_at
     limit $2`,
    [now, countMax],
  )
}

/** Saves how far the members of a locked segment were compared, and when this goes on. */
export async function saveSweep(
  tx: Tx,
  { teamId, segmentId }: SegmentKey,
  sweepAt: Date,
  sweepAfter: string | null,
): Promise<void> {
  await tx.query(
    `update automation_segment
     set sweep_at = $3, sweep_after = $4
     where team_id = $1 and segment_id = $2`,
    [teamId, segmentId, sweepAt, sweepAfter],
  )
}

/** Lets the comparison of a segment go on at another time, from where it is. */
export async function postponeSweep(
  db: Queryable,
  { teamId, segmentId }: SegmentKey,
  sweepAt: Date,
): Promise<void> {
  await db.query(
    `update automation_segment
     set sweep_at = $3
     where team_id = $1 and segment_id = $2 and sweep_at is not null`,
    [teamId, segmentId, sweepAt],
  )
}

/** Behind which contact `part` begins; $3 is null for the first part. */
export const PART_START = `coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')`

/**
 * Returns parts of a statement on the contacts of `part`, which begin behind $3: `matching` has those in the segment now, and `gone`
 * deletes the other members. Both are ranges of ids and no joins, whose plans would compare each row with each before PostgreSQL has
 * statistics of the tables.
 */
export const matchingPart = (condition: string) => `bound as materialized (
       select max(id::text)::uuid as id from part
     ),
     matching as materialized (
       select c.id
       from contact c
       where c.team_id = $1 and c.id > ${PART_START} and c.id <= (select id from bound)
         and c.deleted_at is null and (${condition})
     ),
     gone as (
       delete from automation_member m
       where m.team_id = $1 and m.segment_id = $2 and m.contact_id > ${PART_START} and m.contact_id <= (select id from bound)
         and m.contact_id not in (select id from matching)
     )`

/** What a comparison of the next contacts found. */
export interface ComparedMembers {
  /** The contacts that entered, in the order of their ids. */
  entered: string[]
  /** The last contact compared, and how many were. */
  last: string | null
  count: number
}

/**
 * Remembers who among the next contacts is in a locked segment now. Contacts with events that are not followed yet are left to these:
 * an import that begins no runs may have brought them in.
 * @param counts the most contacts compared, and the most of them that enter
 */
export async function compareMembers(
  tx: Tx,
  { teamId, segmentId, sweepAfter }: Pick<KnownSegment, 'teamId' | 'segmentId' | 'sweepAfter'>,
  condition: ContactCondition,
  counts: { compared: number; entered: number },
): Promise<ComparedMembers> {
  const values: unknown[] = [teamId, segmentId, sweepAfter, counts.compared, counts.entered]
  const place: Place = (value) => `$${values.push(value)}`
  const rows = await tx.query<ComparedMembers>(
    `with part as materialized (
       select c.id
       from contact c
       where c.team_id = $1 and c.id > ${PART_START}
       order by c.id
       limit $4
     ),
     ${matchingPart(condition.sql(place))},
     entering as materialized (
       select x.id
       from matching x
       where x.id not in (
           select m.contact_id
           from automation_member m
           where m.team_id = $1 and m.segment_id = $2 and m.contact_id > ${PART_START} and m.contact_id <= (select id from bound)
         )
         and x.id not in (
           select e.subject_id
           from automation_feed f
           join event e on e.team_id = f.team_id and e.position > f.position
           where f.team_id = $1
         )
       order by x.id
       limit $5
     ),
     added as (
       insert into automation_member (team_id, segment_id, contact_id)
       select $1, $2, id
       from entering
       on conflict do nothing
     )
     select array(select id from entering order by id) as entered,
       (select id from bound) as last,
       (select count(*)::int4 from part) as count`,
    values,
    { isOneOff: true },
  )
  return rows[0] ?? { entered: [], last: null, count: 0 }
}
