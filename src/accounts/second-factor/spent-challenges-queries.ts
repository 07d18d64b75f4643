import type { Queryable } from '../../db/db-types.ts'

/** Marks an answered challenge as spent, and deletes a few expired ones. Returns false if it was spent before. */
export async function spendChallenge(
  db: Queryable,
  hash: Buffer,
  expiresAt: Date,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `with gone as (
       delete from spent_challenge
       where hash in (
         select hash from spent_challenge where expires_at <= $3 order by expires_at limit 10 for update skip locked
       )
     )
     insert into spent_challenge (hash, expires_at)
     values ($1, $2)
     on conflict (hash) do nothing
     returning hash`,
    [hash, expiresAt, now],
  )
  return rows.length > 0
}
