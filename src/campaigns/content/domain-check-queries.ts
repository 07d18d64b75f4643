import type { Queryable } from '../../db/db-types.ts'

/** @param name A-label in lower case */
export async function isDomainVerified(db: Queryable, teamId: string, name: string): Promise<boolean> {
  const rows = await db.query('select 1 from verified_domain where name = $1 and team_id = $2', [
    name,
    teamId,
  ])
  return rows.length > 0
}
