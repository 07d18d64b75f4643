import type { Queryable } from '../store/db.ts'

/** How long the oldest claimable delivery has waited, seconds; 0 when none waits. One index probe a team. */
export async function oldestReadySeconds(db: Queryable, now: Date): Promise<number> {
  const rows = await db.query<{ oldest: Date | null }>(
    `select min(d.due_at) as oldest
     from (select due_at from delivery where ready order by team_id, domain, due_at limit 10000) d`,
  )
  const oldest = rows[0]?.oldest ?? null
  return oldest === null ? 0 : Math.max(0, Math.round((now.getTime() - oldest.getTime()) / 1000))
}
