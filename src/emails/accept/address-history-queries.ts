import type { Queryable } from '../../db/db-types.ts'

/** How one delivery to an address stands. */
export interface AddressOutcome {
  status: string
  category: string | null
}

/** Enough to see how the last tries ended; few enough for an address that gets a thousand emails a day. */
const OUTCOMES_MAX = 20

/**
 * The team's newest deliveries to an address, newest first, 20 at most.
 * @param addressKey suppressionKey of the address
 */
export async function listOutcomesAt(
  db: Queryable,
  teamId: string,
  addressKey: string,
): Promise<AddressOutcome[]> {
  return db.query<AddressOutcome>(
    `select status, category
     from delivery
     where team_id = $1
       and address_key = $2
     order by email_id desc
     limit ${OUTCOMES_MAX}`,
    [teamId, addressKey],
  )
}

/** Whether the address is suppressed because mail to it bounced. */
export async function isSuppressedForBounce(
  db: Queryable,
  teamId: string,
  addressKey: string,
): Promise<boolean> {
  const rows = await db.query(
    `select 1
     from suppression
     where team_id = $1
       and email = $2
       and reason = 'bounce'`,
    [teamId, addressKey],
  )
  return rows.length > 0
}
