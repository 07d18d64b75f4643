import { arrays } from '../../db/arrays.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'

/** Returns the ids of deleted contacts that had this address. */
export async function listDeletedContacts(db: Queryable, teamId: string, address: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id
     from contact
     where team_id = $1 and email = $2 and deleted_at is not null`,
    [teamId, address],
  )
  return rows.map((row) => row.id)
}

/** Returns the address of a contact, even of a deleted one, or null if there is none with this id. */
export async function findAddressOfContact(
  db: Queryable,
  teamId: string,
  id: string,
): Promise<string | null> {
  const rows = await db.query<{ email: string }>('select email from contact where team_id = $1 and id = $2', [
    teamId,
    id,
  ])
  return rows[0]?.email ?? null
}

/** Deletes contacts completely: rows, values and memberships. */
export async function deleteContactRows(tx: Tx, teamId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const values = [teamId, arrays.uuid(ids)]
  await tx.query('delete from contact_value where team_id = $1 and contact_id = any ($2)', values)
  await tx.query('delete from list_member where team_id = $1 and contact_id = any ($2)', values)
  await tx.query('delete from contact where team_id = $1 and id = any ($2)', values)
}

/** Deletes the count of full-mailbox bounces of an address. */
export async function deleteSoftBounce(tx: Tx, teamId: string, address: string): Promise<void> {
  await tx.query('delete from soft_bounce where team_id = $1 and address_key = $2', [teamId, address])
}

/**
 * Replaces the address of a suppression with its hash. Returns false if there is no entry, or if the hash already has
 * one.
 */
export async function hashSuppression(
  tx: Tx,
  teamId: string,
  address: string,
  hash: string,
): Promise<boolean> {
  const rows = await tx.query(
    `update suppression s
     set email = $3, source_email_id = null
     where s.team_id = $1 and s.email = $2
       and not exists (select from suppression h where h.team_id = $1 and h.email = $3)
     returning s.id`,
    [teamId, address, hash],
  )
  return rows.length > 0
}

/**
 * Replaces the address of unsubscriptions with its hash. Deletes entries whose hash already has one, and returns their
 * number.
 */
export async function hashUnsubscriptions(
  tx: Tx,
  teamId: string,
  address: string,
  hash: string,
): Promise<number> {
  await tx.query(
    `update unsubscription u
     set email = $3, email_id = null
     where u.team_id = $1 and u.email = $2
       and not exists (
         select from unsubscription h
         where h.team_id = $1 and h.scope = u.scope and h.email = $3
       )`,
    [teamId, address, hash],
  )
  const rows = await tx.query('delete from unsubscription where team_id = $1 and email = $2 returning id', [
    teamId,
    address,
  ])
  return rows.length
}
