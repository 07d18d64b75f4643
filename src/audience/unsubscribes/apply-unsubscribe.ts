import type { Db } from '../../db/db-types.ts'
import { readScope } from '../../emails/request/unsubscribe-scope.ts'
import {
  findRecipientKey,
  findUnsubscribeScope,
  type ReportedKey,
} from '../../emails/rows/reported-deliveries-queries.ts'
import { recordEvents } from '../../events/record-queries.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import { unsubscribeContact } from '../contacts/write-contacts-queries.ts'
import { optOut } from './opt-out.ts'

/**
 * Applies an unsubscribe request that arrived by mail. Unsubscribes the recipient from the list or topic of the
 * email, or otherwise the team's contact of that address from campaigns, and records an event. Does nothing if there
 * is no such contact or it is already unsubscribed. Returns whether anything changed.
 */
export async function applyUnsubscribe(
  db: Db,
  hashAddress: HashAddress,
  key: ReportedKey,
  now: Date,
): Promise<boolean> {
  const { teamId, emailId } = key
  const scope = readScope((await findUnsubscribeScope(db, teamId, emailId)) ?? '')
  if (scope !== null) {
    const email = await findRecipientKey(db, key)
    return email !== null && optOut(db, hashAddress, { teamId, emailId, scope, email }, 'mail', now)
  }
  return db.transaction(async (tx) => {
    const email = await findRecipientKey(tx, key)
    const id = email === null ? null : await unsubscribeContact(tx, teamId, email, now)
    if (id === null) return false
    const data = { id, email, email_id: emailId, source: 'mail' }
    recordEvents(tx, [{ teamId, subjectId: id, type: 'contact.unsubscribed', data }], now)
    return true
  })
}
