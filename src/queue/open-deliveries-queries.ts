import { arrays } from '../db/arrays.ts'
import type { Db } from '../db/db-types.ts'
import { asDue, type DueRow } from './claim-queries.ts'
import { byKey } from './lease-queries.ts'
import type { DeliveryKey, DueDelivery } from './types.ts'

/** Returns those of `keys` that are not finished, whichever process holds them, as a claim would; takes no lease. */
export async function findOpenDeliveries(
  db: Db,
  keys: readonly DeliveryKey[],
  now: Date,
): Promise<DueDelivery[]> {
  const sorted = [...keys].sort(byKey)
  const rows = await db.query<DueRow>(
    `select d.team_id, d.email_id, d.no, d.address, d.address_key, d.domain, d.attempts, d.expires_at,
       e.domain_id, e.created_at, e.recipient_count, e.size as size_bytes, d.bulk as is_bulk
     from unnest($1::uuid[], $2::uuid[], $3::int2[]) as k (team_id, email_id, no)
     join delivery d on d.team_id = k.team_id and d.email_id = k.email_id and d.no = k.no
     join email e on e.team_id = k.team_id and e.id = k.email_id
     where d.due_at is not null`,
    [
      arrays.uuid(sorted.map((key) => key.teamId)),
      arrays.uuid(sorted.map((key) => key.emailId)),
      arrays.int2(sorted.map((key) => key.no)),
    ],
  )
  return rows.map((row) => asDue(row, now.getTime(), now.getTime()))
}
