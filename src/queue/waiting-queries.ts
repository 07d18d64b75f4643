import type { Queryable } from '../db/db-types.ts'

/** An unfinished recipient, for the operator. */
export interface WaitingDelivery {
  teamId: string
  teamName: string
  teamPausedAt: Date | null
  emailId: string
  address: string
  status: 'scheduled' | 'queued' | 'delivery_delayed'
  attempts: number
  /** Time of the next attempt; a past time: due now. */
  dueAt: Date
  /** Set while a process holds it. */
  leasedUntil: Date | null
  expiresAt: Date
  /** The reply to the last attempt. */
  category: string | null
  smtpCode: number | null
  response: string | null
  mxHost: string | null
}

export interface WaitingFilter {
  teamId: string | null
  /** A-label, lower case. */
  domain: string | null
}

const COLUMNS = `d.team_id, t.name as team_name, t.sending_paused_at as team_paused_at,
  d.email_id, d.address, d.status, d.attempts, d.due_at, d.leased_until,
  d.expires_at, d.category, d.smtp_code, d.response, d.mx_host`

/** Returns claimable and waiting deliveries, each by its own index; the soonest due first. */
export async function listWaiting(
  db: Queryable,
  filter: WaitingFilter,
  countMax: number,
): Promise<WaitingDelivery[]> {
  const select = `select ${COLUMNS}
     from delivery d
     join team t on t.id = d.team_id
     where ($1::uuid is null or d.team_id = $1)
       and ($2::text is null or d.domain = $2)`
  return db.query<WaitingDelivery>(
    `(${select}
       and d.ready
     order by d.due_at
     limit $3)
     union all
     (${select}
       and d.due_at is not null and not d.ready
     order by coalesce(d.leased_until, d.due_at)
     limit $3)
     order by due_at
     limit $3`,
    [filter.teamId, filter.domain, countMax],
  )
}
