import type { Queryable } from '../db/db.ts'
import type { DeliveryKey } from './types.ts'

/** For what reasons tries at this recipient did not succeed; a delivery is tried some 25 times at most. */
export async function findAttemptedCategories(
  db: Queryable,
  { teamId, emailId, no }: DeliveryKey,
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ category: string }>(
    `select distinct a.category
     from attempt a
     where a.team_id = $1 and a.email_id = $2 and a.no = $3`,
    [teamId, emailId, no],
  )
  return new Set(rows.map(({ category }) => category))
}
