import type { ContactCondition } from '../../audience/segments/contact-condition.ts'
import { arrays } from '../../db/arrays.ts'
import type { Place, Queryable, Tx } from '../../db/db-types.ts'
import { type KnownSegment, matchingPart, PART_START, type SegmentKey } from './known-segments-queries.ts'

/**
 * Remembers which of these contacts are in a segment now. Returns those that entered it. A contact that was there before the
 * segment began an automation has not entered it, even when its turn to be read has not come yet.
 */
export async function changeSegmentMembers(
  tx: Tx,
  teamId: string,
  segmentId: string,
  contactIds: readonly string[],
  members: ReadonlySet<string>,
): Promise<string[]> {
  const gone = contactIds.filter((id) => !members.has(id))
  if (gone.length > 0) {
    await tx.query(
      'delete from automation_member where team_id = $1 and segment_id = $2 and contact_id = any ($3::uuid[])',
      [teamId, segmentId, arrays.uuid(gone)],
    )
  }
  if (members.size === 0) return []
  const rows = await tx.query<{ contactId: string }>(
    `with added as (
       insert into automation_member (team_id, segment_id, contact_id)
       select $1, $2, id
       from unnest($3::uuid[]) as k (id)
       on conflict do nothing
       returning contact_id
     )
     select a.contact_id
     from added a
     join automation_segment s on s.team_id = $1 and s.segment_id = $2
     where s.read or s.until is null or a.contact_id > s.until or a.contact_id <= s.after`,
    [teamId, segmentId, arrays.uuid([...members])],
  )
  return rows.map(({ contactId }) => contactId)
}

/** A path in a graph, as an SQL literal: a trigger by the entry into the segment `id`. */
export const BEGINS_WITH_SEGMENT = `'$.steps[*].config ? (@.type == "segment_entered" && @.segment_id == $id)'`

const INSERT_SEGMENT = `insert into automation_segment (team_id, segment_id, until)
  select $1::uuid, $2::uuid, (select id from contact where team_id = $1 order by id desc limit 1)
  on conflict (team_id, segment_id)`

/**
 * Begins to remember who is in a segment, also if this is known already: nobody has followed what happened meanwhile. Leaves it as it
 * is if an active automation begins with it. Contacts that exist are read by `readSegmentMembers`, which also replaces what was known.
 */
export async function beginSegment(tx: Tx, teamId: string, segmentId: string): Promise<void> {
  const followed = await tx.query(
    `select 1
     from automation a
     join automation_version v on v.team_id = a.team_id and v.automation_id = a.id and v.version = a.version
     where a.team_id = $1 and a.status = 'active'
       and jsonb_path_exists(v.graph, ${BEGINS_WITH_SEGMENT}, jsonb_build_object('id', $2::text))
     limit 1`,
    [teamId, segmentId],
  )
  if (followed.length > 0) {
    await tx.query(`${INSERT_SEGMENT} do nothing`, [teamId, segmentId])
    return
  }
  await tx.query(
    `${INSERT_SEGMENT} do update
     set after = null, until = excluded.until, read = false, conditions = null, changed_at = null, sweep_at = null, sweep_after = null`,
    [teamId, segmentId],
  )
}

/** Returns segments whose contacts are not all read, except those in `without`. */
export async function findUnreadSegments(
  db: Queryable,
  without: readonly string[],
  countMax: number,
): Promise<SegmentKey[]> {
  return db.query<SegmentKey>(
    `select k.team_id, k.segment_id
     from automation_segment k
     join segment s on s.team_id = k.team_id and s.id = k.segment_id
     where not k.read and k.segment_id <> all ($1::uuid[])
     limit $2`,
    [arrays.uuid(without), countMax],
  )
}

/** Remembers which of the next contacts are members, whatever was known before. Returns the last contact, and how many they are. */
export async function readSegmentMembers(
  tx: Tx,
  { teamId, segmentId, after, until }: Pick<KnownSegment, 'teamId' | 'segmentId' | 'after' | 'until'>,
  condition: ContactCondition,
  countMax: number,
): Promise<{ last: string | null; count: number }> {
  const values: unknown[] = [teamId, segmentId, after, until, countMax]
  const place: Place = (value) => `$${values.push(value)}`
  const rows = await tx.query<{ last: string | null; count: number }>(
    `with part as materialized (
       select c.id
       from contact c
       where c.team_id = $1 and c.id > ${PART_START} and c.id <= $4
       order by c.id
       limit $5
     ),
     ${matchingPart(condition.sql(place))},
     added as (
       insert into automation_member (team_id, segment_id, contact_id)
       select $1, $2, id
       from matching
       on conflict do nothing
     )
     select (select id from bound) as last, count(*)::int4 as count
     from part`,
    values,
    { isOneOff: true },
  )
  return rows[0] ?? { last: null, count: 0 }
}

/** Saves how far the contacts were read. */
export async function saveSegmentProgress(
  tx: Tx,
  { teamId, segmentId }: SegmentKey,
  after: string | null,
  isRead: boolean,
): Promise<void> {
  await tx.query(
    `update automation_segment
     set after = coalesce($3, after), read = $4
     where team_id = $1 and segment_id = $2`,
    [teamId, segmentId, after, isRead],
  )
}
