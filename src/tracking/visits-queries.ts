import { batchOf } from '../db/batch.ts'
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

const KEYS = batchOf('team_id uuid, email_id uuid, no int2')

const FIND_VISITED = `select k.place::int4 as place, case when k.no is null then null else d.address end as address, d.delivered_at,
    d.is_unsent
  from unnest(${KEYS.arrays}) with ordinality as k (${KEYS.names}, place)
  join lateral (
    select min(r.address) as address,
      min(r.updated_at) filter (where r.status in ('delivered', 'sent')) as delivered_at,
      bool_and(r.status in ('scheduled', 'queued', 'suppressed', 'canceled')) as is_unsent,
      bool_or(r.domain = '${ERASED_DOMAIN}') as is_erased,
      count(*) as recipients
    from delivery r
    where r.team_id = k.team_id and r.email_id = k.email_id and (k.no is null or r.no = k.no)
  ) d on d.recipients > 0 and not d.is_erased`

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
  }>(FIND_VISITED, KEYS.values(keys))
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

const EMAILS = batchOf('team_id uuid, email_id uuid')

const COUNT_VISITS = `select v.team_id, v.subject_id as email_id, v.type,
    v.data -> 'is_machine' is not distinct from 'true'::jsonb as is_machine, count(*)::int4 as count
  from unnest(${EMAILS.arrays}) as k (${EMAILS.names})
  join event v on v.team_id = k.team_id and v.subject_id = k.email_id and v.type in ('email.opened', 'email.clicked')
  group by 1, 2, 3, 4`

/** Returns the number of recorded visits of each kind, by `visitKindKey`. */
export async function countVisitsByKind(
  db: Queryable,
  keys: readonly Pick<VisitedKey, 'teamId' | 'emailId'>[],
): Promise<Map<string, number>> {
  const emails = [...new Map(keys.map((key) => [`${key.teamId}/${key.emailId}`, key])).values()]
  const rows = await db.query<VisitKind & { count: number }>(COUNT_VISITS, EMAILS.values(emails))
  return new Map(rows.map((row) => [visitKindKey(row), row.count]))
}

const VISITS = batchOf('team_id uuid, email_id uuid, last_event text')

const SET_LAST_VISITS = `update email e
  set last_event = s.last_event
  from unnest(${VISITS.arrays}) as s (${VISITS.names})
  where e.team_id = s.team_id and e.id = s.email_id`

/**
 * Sets the last event of emails to a person's visit; their status does not change. Rows are sorted by key, one per
 * email.
 */
export async function setLastVisits(
  tx: Tx,
  visits: readonly { teamId: string; emailId: string; lastEvent: string }[],
): Promise<void> {
  if (visits.length > 0) await tx.query(SET_LAST_VISITS, VISITS.values(visits))
}
