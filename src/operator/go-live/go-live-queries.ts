import { SIMULATOR_HOST } from '../../classification/simulator.ts'
import type { Queryable } from '../../db/db-types.ts'
import type { DomainStatus } from '../../domains/domains-queries.ts'
import type { EmailScope } from '../../emails/read/read-emails-queries.ts'
import { CAPTURE_HOST } from '../doctor/delivered-queries.ts'

/** The team's domain that is closest to sending real mail. */
export async function findBestDomain(
  db: Queryable,
  teamId: string,
): Promise<{ id: string; name: string; status: DomainStatus; captured: boolean } | null> {
  const rows = await db.query<{ id: string; name: string; status: DomainStatus; captured: boolean }>(
    `select id, name, status, captured
     from domain
     where team_id = $1
     order by status in ('verified', 'temporary_failure') and not captured desc, status = 'verified' desc, id desc
     limit 1`,
    [teamId],
  )
  return rows[0] ?? null
}

/** The newest emails that are searched: a team that sends real mail has some among them. */
const EMAILS_MAX = 500

export interface RealEmail {
  emailId: string
  recipient: string
  status: string
  host: string | null
  response: string | null
  updatedAt: Date
}

/**
 * Returns the team's newest delivery that a server outside of this machine accepted; if there is none, the newest one that
 * was attempted there. The simulator and capture mode do not count.
 */
export async function findRealEmail(
  db: Queryable,
  { teamId, domainId }: EmailScope,
): Promise<RealEmail | null> {
  const rows = await db.query<RealEmail>(
    `select d.email_id, d.address as recipient, d.status, d.mx_host as host, d.response, d.updated_at
     from (
       select id, domain_id
       from email
       where team_id = $1
       order by id desc
       limit ${EMAILS_MAX}
     ) e
     join delivery d on d.team_id = $1 and d.email_id = e.id
     where ($3::uuid is null or e.domain_id = $3) and d.attempts > 0 and (d.mx_host is null or d.mx_host <> all ($2::text[]))
     order by d.status in ('delivered', 'sent') desc, d.email_id desc
     limit 1`,
    [teamId, [CAPTURE_HOST, SIMULATOR_HOST], domainId],
  )
  return rows[0] ?? null
}
