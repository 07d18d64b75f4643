import type { Queryable } from '../db/db-types.ts'

/** Returns the tracking settings of a verified domain, or null if the team has no such domain. */
export async function findDomainTracking(
  db: Queryable,
  teamId: string,
  domainName: string,
): Promise<{ opens: boolean; clicks: boolean; isHostVerified: boolean } | null> {
  const rows = await db.query<{ opens: boolean; clicks: boolean; isHostVerified: boolean }>(
    `select d.open_tracking as opens, d.click_tracking as clicks,
       coalesce(d.checks -> 'tracking' ->> 'outcome' = 'right', false) as is_host_verified
     from verified_domain v
     join domain d on d.team_id = v.team_id and d.id = v.domain_id
     where v.name = $2 and v.team_id = $1`,
    [teamId, domainName],
  )
  return rows[0] ?? null
}
