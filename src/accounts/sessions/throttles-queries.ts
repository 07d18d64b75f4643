import { arrays } from '../../db/arrays.ts'
import type { Queryable } from '../../db/db-types.ts'

export interface ThrottledAttempt {
  /** SHA-256 of the counted scope. */
  key: Buffer
  /** Identifies this attempt. */
  id: string
  /** The wait after the first attempt, the second, and so on; the last one repeats. */
  waitsMs: readonly number[]
  /** The time after the last attempt at which counting restarts. */
  forgetMs: number
}

/**
 * The offset for no wait. It lies this far back, so that a slow process or one with a late clock does not find it in
 * the future.
 */
const PAST_MS = 3_600_000

/**
 * Counts an attempt unless a wait is in effect. Uses one statement, so that simultaneous attempts in two processes
 * see each other. A wait longer than any of ours was written with a wrong clock and counts as over.
 * @returns null if the attempt may continue, else the end of the wait
 */
export async function countAttempt(
  db: Queryable,
  { key, id, waitsMs, forgetMs }: ThrottledAttempt,
  now: Date,
): Promise<Date | null> {
  const ends = waitsMs.map((waitMs) => new Date(now.getTime() + (waitMs === 0 ? -PAST_MS : waitMs)))
  const latest = new Date(now.getTime() + Math.max(...waitsMs))
  const rows = await db.query<{ lastTry: string; nextAt: Date }>(
    `insert into throttle as t (key, tries, last_try, next_at, forget_at)
     values ($1, 1, $2, ($4::timestamptz[])[1], $5)
     on conflict (key) do update
     set tries = case when t.forget_at <= $3 then 1
                      when t.next_at <= $3 or t.next_at > $6 then least(t.tries, 1000000) + 1
                      else t.tries end,
         last_try = case when t.next_at <= $3 or t.next_at > $6 then excluded.last_try else t.last_try end,
         next_at = case when t.forget_at <= $3 then excluded.next_at
                        when t.next_at <= $3 or t.next_at > $6
                          then ($4::timestamptz[])[least(t.tries + 1, cardinality($4::timestamptz[]))]
                        else t.next_at end,
         forget_at = case when t.next_at <= $3 or t.next_at > $6 then excluded.forget_at else t.forget_at end
     returning last_try, next_at`,
    [key, id, now, arrays.timestamptz(ends), new Date(now.getTime() + forgetMs), latest],
  )
  const row = rows[0]
  return row === undefined || row.lastTry === id ? null : row.nextAt
}

/**
 * Reads a counter without counting. Returns null if there is none, or if counting would restart.
 * @returns `waitsUntil` is null if no wait is in effect, by the rules of `countAttempt`
 */
export async function findThrottle(
  db: Queryable,
  { key, waitsMs }: Pick<ThrottledAttempt, 'key' | 'waitsMs'>,
  now: Date,
): Promise<{ tries: number; waitsUntil: Date | null } | null> {
  const rows = await db.query<{ tries: number; waitsUntil: Date | null }>(
    `select tries, case when next_at > $2 and next_at <= $3 then next_at end as waits_until
     from throttle
     where key = $1 and forget_at > $2`,
    [key, now, new Date(now.getTime() + Math.max(...waitsMs))],
  )
  return rows[0] ?? null
}

/** Resets counters after a successful attempt. */
export async function forgetAttempts(db: Queryable, keys: readonly Buffer[]): Promise<void> {
  for (const key of keys) await db.query('delete from throttle where key = $1', [key])
}

/** Takes back one attempt that succeeded or that another scope rejected. */
export async function undoAttempt(db: Queryable, key: Buffer, now: Date): Promise<void> {
  await db.query(
    `update throttle
     set tries = greatest(tries - 1, 0), next_at = least(next_at, $2)
     where key = $1`,
    [key, new Date(now.getTime() - PAST_MS)],
  )
}
