import { isUuid, newId } from '../base/ids.ts'
import { invalidField, Refusal } from '../base/refusal.ts'
import { recordEvents } from '../events/record.ts'
import { parseMailbox, suppressionKey } from '../mime/address.ts'
import type { Queryable, Tx } from '../store/db.ts'
import {
  deleteSuppression,
  findSuppression,
  findSuppressionByEmail,
  insertSuppression,
  type Suppression,
  type SuppressionReason,
} from '../store/suppressions.ts'

export interface Cause {
  reason: SuppressionReason
  /** The email whose bounce or complaint it is; null for one added by hand. */
  sourceEmailId: string | null
}

/**
 * Puts an address on the list: from the commit on it gets no email. Idempotent: an entry that is there stays as it is.
 * @param email with or without a display name; refused (`validation_error`) when it is no address
 */
export async function suppress(
  tx: Tx,
  teamId: string,
  email: string,
  cause: Cause,
  now: Date,
): Promise<{ entry: Suppression; isNew: boolean }> {
  const mailbox = parseMailbox(email)
  if (mailbox === null) throw invalidField('email', 'The email field must be a valid email address.')
  return suppressKey(tx, teamId, suppressionKey(mailbox.address), cause, now)
}

/**
 * The same for an address in the form in which addresses are compared, which need not be an address any more: lower
 * case can be longer than the 64 octets of a local part.
 */
export async function suppressKey(
  tx: Tx,
  teamId: string,
  key: string,
  cause: Cause,
  now: Date,
): Promise<{ entry: Suppression; isNew: boolean }> {
  const known = await findSuppressionByEmail(tx, teamId, key)
  if (known !== null) return { entry: known, isNew: false }
  const entry = { teamId, id: newId(now.getTime()), email: key, ...cause, createdAt: now, updatedAt: now }
  if (await insertSuppression(tx, entry)) {
    await recordEvents(tx, [eventOf(entry, 'suppression.added')], now)
    return { entry, isNew: true }
  }
  // Another request won between the look and the insert; its row is visible now, unless a third removed it.
  const winner = await findSuppressionByEmail(tx, teamId, key)
  if (winner === null) throw new Refusal('conflict', 'The suppression was removed at the same moment.')
  return { entry: winner, isNew: false }
}

/** The address gets email again. Refuses `not_found`. */
export async function unsuppress(tx: Tx, teamId: string, idOrEmail: string, now: Date): Promise<Suppression> {
  const entry = await lookUpSuppression(tx, teamId, idOrEmail)
  if (entry === null || !(await deleteSuppression(tx, entry))) throw new Refusal('not_found')
  await recordEvents(tx, [eventOf(entry, 'suppression.removed')], now)
  return entry
}

/** An entry by its id or its address, however that is written. */
export async function lookUpSuppression(
  db: Queryable,
  teamId: string,
  idOrEmail: string,
): Promise<Suppression | null> {
  if (isUuid(idOrEmail)) return findSuppression(db, teamId, idOrEmail)
  const mailbox = parseMailbox(idOrEmail)
  return mailbox === null ? null : findSuppressionByEmail(db, teamId, suppressionKey(mailbox.address))
}

function eventOf(entry: Suppression, type: string) {
  return {
    teamId: entry.teamId,
    subjectId: entry.id,
    type,
    data: { email: entry.email, reason: entry.reason },
  }
}
