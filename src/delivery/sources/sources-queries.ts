import type { Queryable } from '../../db/db-types.ts'

/** The messages of one warming address to one provider group on one UTC day. */
export interface WarmupKey {
  source: string
  group: string
  /** For example `2026-11-21`. */
  day: string
}

/**
 * Takes up to `countMax` messages of the remaining limit, in one statement, so that concurrent processes never exceed
 * it.
 * @returns how many were taken now (`granted`), and how many of the limit in total (`taken`)
 */
export async function takeWarmup(
  db: Queryable,
  { source, group, day }: WarmupKey,
  countMax: number,
  limit: number,
): Promise<{ granted: number; taken: number }> {
  const rows = await db.query<{ granted: number; taken: number }>(
    `insert into warmup_count as w (source, provider_group, day, taken, granted)
     values ($1, $2, $3::date, least($4::int4, $5::int4), least($4::int4, $5::int4))
     on conflict (source, provider_group, day) do update
     set taken = w.taken + least($4::int4, greatest(0, $5::int4 - w.taken)),
       granted = least($4::int4, greatest(0, $5::int4 - w.taken))
     returning granted, taken`,
    [source, group, day, countMax, limit],
  )
  return rows[0] ?? { granted: 0, taken: limit }
}

/** Returns messages that were taken but not sent. */
export async function returnWarmup(
  db: Queryable,
  { source, group, day }: WarmupKey,
  count: number,
): Promise<void> {
  await db.query(
    `update warmup_count
     set taken = greatest(0, taken - $4::int4)
     where source = $1 and provider_group = $2 and day = $3::date`,
    [source, group, day, count],
  )
}

/** Returns the numbers of messages taken on a day. */
export async function listWarmup(
  db: Queryable,
  day: string,
): Promise<{ source: string; group: string; taken: number }[]> {
  return db.query<{ source: string; group: string; taken: number }>(
    `select source, provider_group as "group", taken
     from warmup_count
     where day = $1::date
     order by source, provider_group`,
    [day],
  )
}

/** Deletes the counts of earlier days. */
export async function deleteWarmupBefore(db: Queryable, beforeDay: string): Promise<void> {
  await db.query('delete from warmup_count where day < $1::date', [beforeDay])
}
