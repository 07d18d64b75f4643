import { arrays } from '../db/arrays.ts'
import type { Queryable, Tx } from '../db/db-types.ts'
import { ERASED_DOMAIN } from '../lib/crypto/erased-address.ts'

export interface VisitedKey {
  teamId: string
  emailId: string
  /** Null if the email has several recipients, any of whom may be the visitor. */
  no: number | null
}

export interface Visited {
  /** Null if the email has several recipients. */
  address: string | null
  /** The time at which the recipient's server accepted it, the first one of several recipients. Null if unknown. */
  deliveredAt: Date | null
  /** No server can have accepted it, as far as is known. */
  isUnsent: boolean
}

/**
 * Returns the data for classifying visits of pixels and links, in the order of the keys. Null for emails that no
 * longer exist and for recipients whose data was erased.
 */
export async function findVisited(db: Queryable, keys: readonly VisitedKey[]): Promise<(Visited | null)[]> {
  const rows = await db.query<{
    place: number
    address: string | null
    deliveredAt: Date | null
    isUnsent: boolean
  }>(
    `select k.place::int4 as place, case when k.no is null then null else d.address end as address, d.delivered_at,
       d.is_unsent
     from unnest($1::uuid[], $2::uuid[], $3::int2[]) with ordinality as k (team_id, email_id, no, place)
     join lateral (
       select min(r.address) as address,
         min(r.updated_at) filter (where r.status in ('delivered', 'sent')) as delivered_at,
         bool_and(r.status in ('scheduled', 'queued', 'suppressed', 'canceled')) as is_unsent,
         bool_or(r.domain = '${ERASED_DOMAIN}') as is_erased,
         count(*) as recipients
       from delivery r
       where r.team_id = k.team_id and r.email_id = k.email_id and (k.no is null or r.no = k.no)
     ) d on d.recipients > 0 and not d.is_erased`,
    [
      arrays.uuid(keys.map((key) => key.teamId)),
      arrays.uuid(keys.map((key) => key.emailId)),
      arrays.int2(keys.map((key) => key.no)),
    ],
  )
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  return keys.map((_, index) => {
    const row = byPlace.get(index + 1)
    if (row === undefined) return null
    return { address: row.address, deliveredAt: row.deliveredAt, isUnsent: row.isUnsent }
  })
}

/** The visits of one email that are counted together. */
export interface VisitKind {
  teamId: string
  emailId: string
  type: 'email.opened' | 'email.clicked'
  isMachine: boolean
}

export function visitKindKey({ teamId, emailId, type, isMachine }: VisitKind): string {
  return [teamId, emailId, type, isMachine].join('/')
}

/** Returns the number of recorded visits of each kind, by `visitKindKey`. */
export async function countVisitsByKind(
  db: Queryable,
  keys: readonly Pick<VisitedKey, 'teamId' | 'emailId'>[],
): Promise<Map<string, number>> {
  const emails = [...new Map(keys.map((key) => [`${key.teamId}/${key.emailId}`, key])).values()]
  const rows = await db.query<VisitKind & { count: number }>(
    `select v.team_id, v.subject_id as email_id, v.type,
       v.data -> 'is_machine' is not distinct from 'true'::jsonb as is_machine, count(*)::int4 as count
     from unnest($1::uuid[], $2::uuid[]) as k (team_id, email_id)
     join event v on v.team_id = k.team_id and v.subject_id = k.email_id and v.type in ('email.opened', 'email.clicked')
     group by 1, 2, 3, 4`,
    [arrays.uuid(emails.map((email) => email.teamId)), arrays.uuid(emails.map((email) => email.emailId))],
  )
  return new Map(rows.map((row) => [visitKindKey(row), row.count]))
}

/**
 * Sets the last event of emails to a person's visit; their status does not change. Rows are sorted by key, one per
 * email.
 */
export async function setLastVisits(
  tx: Tx,
  visits: readonly { teamId: string; emailId: string; lastEvent: string }[],
): Promise<void> {
  if (visits.length === 0) return
  await tx.query(
    `update email e
     set last_event = s.last_event
     from unnest($1::uuid[], $2::uuid[], $3::text[]) as s (team_id, id, last_event)
     where e.team_id = s.team_id and e.id = s.id`,
    [
      arrays.uuid(visits.map((visit) => visit.teamId)),
      arrays.uuid(visits.map((visit) => visit.emailId)),
      arrays.text(visits.map((visit) => visit.lastEvent)),
    ],
  )
}
