import { arrays } from '../../db/arrays.ts'
import type { Db } from '../../db/db-types.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import type { DueDelivery } from '../../queue/types.ts'

/**
 * Returns the deliveries to addresses that are now on their team's suppression list or have unsubscribed from the
 * email's topic or list, even if only the hash of the address is stored, and to people whose data is being erased.
 */
export async function findSuppressed(
  db: Db,
  hashAddress: HashAddress,
  deliveries: readonly DueDelivery[],
): Promise<Set<DueDelivery>> {
  const rows = await db.query<{ position: number }>(
    `select k.position::int4 as position
     from unnest($1::uuid[], $2::text[]) with ordinality as k (team_id, email, position)
     join suppression s on s.team_id = k.team_id and s.email = k.email
     union
     select k.position::int4
     from unnest($1::uuid[], $4::text[]) with ordinality as k (team_id, hash, position)
     join suppression s on s.team_id = k.team_id and s.email = k.hash
     union
     select k.position::int4
     from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as k (team_id, email, email_id, position)
     join erasure e on e.team_id = k.team_id and e.address = k.email and e.id > k.email_id
     union
     select k.position::int4
     from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as k (team_id, email, email_id, position)
     join unsubscription u on u.team_id = k.team_id and u.email = k.email
     join email_content c on c.team_id = k.team_id and c.email_id = k.email_id and c.unsubscribe_scope = u.scope
     union
     select k.position::int4
     from unnest($1::uuid[], $4::text[], $3::uuid[]) with ordinality as k (team_id, hash, email_id, position)
     join unsubscription u on u.team_id = k.team_id and u.email = k.hash
     join email_content c on c.team_id = k.team_id and c.email_id = k.email_id and c.unsubscribe_scope = u.scope`,
    [
      arrays.uuid(deliveries.map((delivery) => delivery.teamId)),
      arrays.text(deliveries.map((delivery) => delivery.addressKey)),
      arrays.uuid(deliveries.map((delivery) => delivery.emailId)),
      arrays.text(deliveries.map(({ teamId, addressKey }) => hashAddress(teamId, addressKey))),
    ],
  )
  return new Set(rows.map((row) => deliveries[row.position - 1] as DueDelivery))
}
