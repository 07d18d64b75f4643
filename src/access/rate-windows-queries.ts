import { batchOf } from '../db/batch.ts'
import type { Queryable } from '../db/db-types.ts'
import { compareTexts } from '../lib/text/compare-texts.ts'

export const WINDOW_MS = 60_000

export interface WindowCount {
  teamId: string
  bucket: string
  requests: number
}

export interface RateWindow extends WindowCount {
  openedAt: Date
}

const COUNTS = batchOf('team_id uuid, bucket text, requests int4')

/** A window has ended, or starts more than a window ahead. The difference of two times depends on no time zone. */
const IS_OVER = `not (excluded.opened_at - w.opened_at >= '-${WINDOW_MS} ms' and excluded.opened_at - w.opened_at < '${WINDOW_MS} ms')`

const COUNT_REQUESTS = `with unsynced as materialized (select set_config('synchronous_commit', 'off', true))
  insert into rate_window as w (team_id, bucket, opened_at, requests)
  select c.team_id, c.bucket, $1::timestamptz, c.requests
  from unsynced, unnest(${COUNTS.arraysFrom(2)}) as c (${COUNTS.names})
  on conflict (team_id, bucket) do update
  set opened_at = case when ${IS_OVER} then excluded.opened_at else w.opened_at end,
      requests = case when ${IS_OVER} then excluded.requests
                 else least(w.requests, 1000000000) + excluded.requests end
  returning team_id, bucket, opened_at, requests`

/**
 * Adds requests to their windows, and returns the windows including them. A window that has ended restarts at `now`,
 * and so does one whose start lies more than a window ahead, because a clock was badly wrong. The commit does not
 * wait for the disk: a crash of PostgreSQL can lose the last half second of counts, which is harmless. The setting
 * applies to this statement's own commit, so one round trip is enough.
 */
export async function countRequests(
  db: Queryable,
  counts: readonly WindowCount[],
  now: Date,
): Promise<RateWindow[]> {
  // Sorted in the same order in all processes, to prevent deadlocks.
  const sorted = [...counts].sort(
    (a, b) => compareTexts(a.teamId, b.teamId) || compareTexts(a.bucket, b.bucket),
  )
  return db.query<RateWindow>(COUNT_REQUESTS, [now, ...COUNTS.values(sorted)])
}

/** Returns the open window of a team; null when none is open. */
export async function findRateWindow(
  db: Queryable,
  teamId: string,
  bucket: string,
  now: Date,
): Promise<{ openedAt: Date; requests: number } | null> {
  const rows = await db.query<{ openedAt: Date; requests: number }>(
    `select opened_at, requests
     from rate_window
     where team_id = $1 and bucket = $2 and opened_at > $3 and opened_at <= $4`,
    [teamId, bucket, new Date(now.getTime() - WINDOW_MS), new Date(now.getTime() + WINDOW_MS)],
  )
  return rows[0] ?? null
}
