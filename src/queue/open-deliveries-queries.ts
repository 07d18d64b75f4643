import { batchOf } from '../db/batch.ts'
import type { Db } from '../db/db-types.ts'
import { asDue, type DueRow } from './claim-queries.ts'
import { byKey } from './lease-queries.ts'
import type { DeliveryKey, DueDelivery } from './types.ts'

const KEYS = batchOf('team_id uuid, email_id uuid, no int2')

const FIND_OPEN_DELIVERIES = `select d.team_id, d.email_id, d.no, d.address, d.address_key, d.domain, d.attempts, d.expires_at,
    e.domain_id, e.created_at, e.recipient_count, e.size as size_bytes, d.bulk as is_bulk
  from unnest(${KEYS.arrays}) as k (${KEYS.names})
  join delivery d on d.team_id = k.team_id and d.email_id = k.email_id and d.no = k.no
  join email e on e.team_id = k.team_id and e.id = k.email_id
  where d.due_at is not null`

/** Returns those of `keys` that are not finished, whichever process holds them, as a claim would; takes no lease. */
export async function findOpenDeliveries(
  db: Db,
  keys: readonly DeliveryKey[],
  now: Date,
): Promise<DueDelivery[]> {
  const sorted = [...keys].sort(byKey)
  const rows = await db.query<DueRow>(FIND_OPEN_DELIVERIES, KEYS.values(sorted))
  return rows.map((row) => asDue(row, now.getTime(), now.getTime()))
}
