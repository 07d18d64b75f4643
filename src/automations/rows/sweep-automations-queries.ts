import { arrays } from '../../db/arrays.ts'
import type { Db } from '../../db/db-types.ts'
import { together } from '../../db/transactions.ts'
import type { SegmentKey } from './known-segments-queries.ts'
import { BEGINS_WITH_SEGMENT } from './segment-members-queries.ts'

/**
 * Deletes up to `countMax` runs of deleted automations with what belongs to them, then as many entries at a time, and after the last entry
 * the versions and figures of an automation. Returns `countMax` if there may be more to delete now.
 */
export async function sweepAutomations(db: Db, countMax: number): Promise<number> {
  const gone = await db.query<{ teamId: string; automationId: string }>(
    `select v.team_id, v.automation_id
     from automation_version v
     where not exists (select from automation a where a.team_id = v.team_id and a.id = v.automation_id)
     limit 1`,
  )
  const [key] = gone
  if (key === undefined) return 0
  const { teamId, automationId } = key
  const rows = await db.query(
    `with picked as materialized (
       select team_id, id
       from automation_run
       where team_id = $1 and automation_id = $2
       limit $3
     ),
     taken as (
       delete from automation_step_taken t
       using picked p
       where t.team_id = p.team_id and t.run_id = p.id
     )
     delete from automation_run r
     using picked p
     where r.team_id = p.team_id and r.id = p.id
     returning 1`,
    [teamId, automationId, countMax],
  )
  if (rows.length === countMax) return countMax
  const entryCount = await deleteEntries(db, teamId, automationId, countMax)
  if (entryCount < countMax) await deleteRest(db, teamId, automationId)
  return Math.max(rows.length, entryCount)
}

/** There may be one for each contact of the team. Returns how many were deleted. */
async function deleteEntries(
  db: Db,
  teamId: string,
  automationId: string,
  countMax: number,
): Promise<number> {
  const rows = await db.query(
    `delete from automation_entry
     where team_id = $1 and automation_id = $2
       and contact_id = any (array(
         select contact_id
         from automation_entry
         where team_id = $1 and automation_id = $2
         limit $3
       ))
     returning 1`,
    [teamId, automationId, countMax],
  )
  return rows.length
}

/** Deletes nothing while there are runs or entries: a process that waits for another to delete the same rows deletes none itself. */
async function deleteRest(db: Db, teamId: string, automationId: string): Promise<void> {
  const key = [teamId, automationId]
  await db.transaction(async (tx) => {
    const left = await tx.query(
      `select 1
       where exists (select from automation_run where team_id = $1 and automation_id = $2)
         or exists (select from automation_entry where team_id = $1 and automation_id = $2)`,
      key,
    )
    if (left.length > 0) return
    await tx.query('delete from automation_figure where team_id = $1 and automation_id = $2', key)
    // Last, because by it a next call finds what is left.
    await tx.query('delete from automation_version where team_id = $1 and automation_id = $2', key)
  })
}

/** Segments of a team with which no active automation begins, also deleted ones. */
const UNFOLLOWED = `select k.team_id, k.segment_id
  from automation_segment k
  where k.team_id = $1 and ($2::uuid is null or k.segment_id = $2) and not exists (
    select from automation a
    join automation_version v on v.team_id = a.team_id and v.automation_id = a.id and v.version = a.version
    where a.team_id = k.team_id and a.status = 'active'
      and jsonb_path_exists(v.graph, ${BEGINS_WITH_SEGMENT}, jsonb_build_object('id', k.segment_id::text))
  )
  limit 1`

/**
 * Deletes up to `countMax` members of a segment with which no active automation begins any more, and what else is known of it after the
 * last. An activation reads the members anew, whatever is left. Returns whether there may be more to delete now.
 */
export async function forgetUnfollowedSegment(db: Db, teamId: string, countMax: number): Promise<boolean> {
  const [unfollowed] = await db.query<SegmentKey>(UNFOLLOWED, [teamId, null])
  if (unfollowed === undefined) return false
  const { segmentId } = unfollowed
  return db.transaction(async (tx) => {
    const key = [teamId, segmentId]
    const locked = await tx.query(
      'select 1 from automation_segment where team_id = $1 and segment_id = $2 for update skip locked',
      key,
    )
    // Again, because an activation may have been committed meanwhile. From here on, one waits for the lock.
    if (locked.length === 0 || (await tx.query(UNFOLLOWED, key)).length === 0) return false
    const rows = await tx.query(
      `with picked as materialized (
         select team_id, segment_id, contact_id
         from automation_member
         where team_id = $1 and segment_id = $2
         limit $3
       )
       delete from automation_member m
       using picked p
       where m.team_id = p.team_id and m.segment_id = p.segment_id and m.contact_id = p.contact_id
       returning 1`,
      [...key, countMax],
    )
    // Last, because by it a next call finds what is left.
    if (rows.length < countMax)
      await tx.query('delete from automation_segment where team_id = $1 and segment_id = $2', key)
    return true
  })
}

const REMEMBER_ENDS = `update automation_entry e
  set ended_at = greatest(e.ended_at, p.ended_at)
  from (
    select r.automation_id, r.contact_id, max(r.ended_at) as ended_at
    from automation_run r
    join automation a on a.team_id = r.team_id and a.id = r.automation_id
    where r.team_id = $1 and r.id = any ($2::uuid[]) and a.settings ->> 'reentry' = 'after_exit'
    group by r.automation_id, r.contact_id
  ) p
  where e.team_id = $1 and e.automation_id = p.automation_id and e.contact_id = p.contact_id`

/**
 * Deletes up to `countMax` runs that ended before a time, and their steps. For automations with `after_exit`, the end of a run is kept in
 * its entry, because the gap counts from it. One that somebody retries meanwhile is left out. Returns how many.
 */
export async function expireAutomationRuns(
  db: Db,
  teamId: string,
  before: Date,
  countMax: number,
): Promise<number> {
  return db.transaction(async (tx) => {
    const picked = await tx.query<{ id: string }>(
      `select id
       from automation_run
       where team_id = $1 and state = 'ended' and ended_at < $2
       order by ended_at
       limit $3
       for update skip locked`,
      [teamId, before, countMax],
    )
    if (picked.length === 0) return 0
    const key = [teamId, arrays.uuid(picked.map(({ id }) => id))]
    const [, , deleted] = await together([
      tx.query(REMEMBER_ENDS, key),
      tx.query('delete from automation_step_taken where team_id = $1 and run_id = any ($2::uuid[])', key),
      tx.query('delete from automation_run where team_id = $1 and id = any ($2::uuid[]) returning 1', key),
    ])
    return deleted.length
  })
}

/**
 * Deletes up to `countMax` versions of a team that no run follows or ended on, with their figures, except the newest `keptCount` of each
 * automation. Returns how many.
 */
export async function deleteUnusedVersions(
  db: Db,
  teamId: string,
  keptCount: number,
  countMax: number,
): Promise<number> {
  const rows = await db.query(
    `with unused as materialized (
       select v.team_id, v.automation_id, v.version
       from automation_version v
       join automation a on a.team_id = v.team_id and a.id = v.automation_id
       where v.team_id = $1 and v.version <= a.version - $2
         -- Two conditions, because each of the two indexes by version has only runs of one kind.
         and not exists (
           select from automation_run r
           where r.team_id = v.team_id and r.automation_id = v.automation_id and r.version = v.version and r.state <> 'ended'
         )
         and not exists (
           select from automation_run r
           where r.team_id = v.team_id and r.automation_id = v.automation_id and r.version = v.version and r.state = 'ended'
         )
       order by v.automation_id, v.version
       limit $3
     ),
     figures as (
       delete from automation_figure f
       using unused u
       where f.team_id = u.team_id and f.automation_id = u.automation_id and f.version = u.version
     )
     delete from automation_version v
     using unused u
     where v.team_id = u.team_id and v.automation_id = u.automation_id and v.version = u.version
     returning 1`,
    [teamId, keptCount, countMax],
  )
  return rows.length
}

/** Returns teams with automations, by id after `after`. */
export async function listFollowedTeams(db: Db, after: string | null, countMax: number): Promise<string[]> {
  const rows = await db.query<{ teamId: string }>(
    `select team_id from automation_feed where ($1::uuid is null or team_id > $1) order by team_id limit $2`,
    [after, countMax],
  )
  return rows.map(({ teamId }) => teamId)
}
