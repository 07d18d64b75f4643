import type { Queryable } from '../../db/db-types.ts'

/** The data that the envelope of a domain's emails is built from. */
export interface EnvelopeSender {
  teamTag: string
  /** Null after the domain is deleted. */
  domainName: string | null
  tls: 'opportunistic' | 'enforced'
  returnPathVerified: boolean
}

export async function findEnvelopeSender(
  db: Queryable,
  teamId: string,
  domainId: string,
): Promise<EnvelopeSender | null> {
  const rows = await db.query<{
    tag: string
    name: string | null
    tls: 'opportunistic' | 'enforced' | null
    returnPathVerified: boolean | null
  }>(
    `select t.tag, d.name, d.return_path_verified,
       coalesce(d.tls, (
         select max(k.domain_tls)
         from dkim_key k
         where k.team_id = t.id and k.domain_id = $2
       )) as tls
     from team t
     left join domain d on d.team_id = t.id and d.id = $2
     where t.id = $1`,
    [teamId, domainId],
  )
  const row = rows[0]
  if (row === undefined) return null
  return {
    teamTag: row.tag,
    domainName: row.name,
    tls: row.tls ?? 'opportunistic',
    returnPathVerified: row.returnPathVerified ?? false,
  }
}
