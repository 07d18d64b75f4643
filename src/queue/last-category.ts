import type { Queryable } from '../store/db.ts'
import type { DeliveryKey } from './types.ts'

/** For what reason the last try at this recipient did not succeed; null when there was none. */
export async function findLastCategory(
  db: Queryable,
  { teamId, emailId, no }: DeliveryKey,
): Promise<string | null> {
  const [last] = await db.query<{ category: string }>(
    `select a.category
     from attempt a
     where a.team_id = $1 and a.email_id = $2 and a.no = $3
     order by a.attempt desc, a.started_at desc
     limit 1`,
    [teamId, emailId, no],
  )
  return last?.category ?? null
}
