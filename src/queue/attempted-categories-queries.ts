import type { Queryable } from '../db/db-types.ts'
import type { DeliveryKey } from './types.ts'

/** Returns the categories in which attempts at this recipient failed; a delivery has some 25 attempts at most. */
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
