import type { Queryable } from '../../db/db-types.ts'

/** The state of one delivery to an address. */
export interface AddressOutcome {
  status: string
  category: string | null
}

/**
 * Enough to show how the latest attempts ended, and few enough for an address that receives a thousand emails a
 * day.
 */
const OUTCOMES_MAX = 20

/**
 * Returns the team's newest deliveries to an address, newest first, at most 20.
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

/** Returns whether the address is suppressed because of a bounce. */
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
