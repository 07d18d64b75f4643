import { arrays } from '../db/arrays.ts'
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

interface Row {
  teamId: string
  bucket: string
  openedAt: Date
  requests: number
}

/**
 * Adds requests to their windows and returns the windows as they are then, these requests included. A window that is
 * over opens anew at `now`. So does one that claims to open more than a window ahead: a clock was badly wrong.
 * Commits without waiting for the disk: after a crash of PostgreSQL the last half second of counts may be missing,
 * which no caller can tell from a request less. One round trip: the setting takes effect at this statement's own commit.
 */
export async function countRequests(
  db: Queryable,
  counts: readonly WindowCount[],
  now: Date,
): Promise<RateWindow[]> {
  // One order in all processes, so that two statements never wait for each other in a circle.
  const sorted = [...counts].sort(
    (a, b) => compareTexts(a.teamId, b.teamId) || compareTexts(a.bucket, b.bucket),
  )
  const rows = await db.query<Row>(
    `with unsynced as materialized (select set_config('synchronous_commit', 'off', true))
     insert into rate_window as w (team_id, bucket, opened_at, requests)
     select c.team_id, c.bucket, $4::timestamptz, c.requests
     from unsynced, unnest($1::uuid[], $2::text[], $3::int4[]) as c (team_id, bucket, requests)
     on conflict (team_id, bucket) do update
     set opened_at = case when w.opened_at <= $5 or w.opened_at > $6 then excluded.opened_at else w.opened_at end,
         requests = case when w.opened_at <= $5 or w.opened_at > $6 then excluded.requests
                    else least(w.requests, 1000000000) + excluded.requests end
     returning team_id, bucket, opened_at, requests`,
    [
      arrays.uuid(sorted.map((count) => count.teamId)),
      arrays.text(sorted.map((count) => count.bucket)),
      arrays.int4(sorted.map((count) => count.requests)),
      now,
      new Date(now.getTime() - WINDOW_MS),
      new Date(now.getTime() + WINDOW_MS),
    ],
  )
  return rows.map((row) => ({
    teamId: row.teamId,
    bucket: row.bucket,
    openedAt: row.openedAt,
    requests: row.requests,
  }))
}

/** What a team's open window has counted; null: none is open. */
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
  return rows[0] === undefined ? null : { openedAt: rows[0].openedAt, requests: rows[0].requests }
}
