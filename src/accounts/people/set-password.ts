import { hintAccessChanged } from '../../access/access-changes-queries.ts'
import { deleteSessionsOf } from '../../access/sessions-queries.ts'
import type { Tx } from '../../db/db-types.ts'
import { deleteLoginChallengesOf } from '../sessions/login-challenges-queries.ts'
import { deleteAccountLinks } from '../users/account-links-queries.ts'
import { lockUser, updateUserPassword } from '../users/users-queries.ts'

/**
 * Sets a user's password and ends everything that began with the old one: sessions, pending logins, reset links.
 * Returns false if the user does not exist.
 * @param passwordHash null leaves the user without a password
 * @param keptSessionId the session that sets the password and stays logged in; null for none
 */
export async function setPassword(
  tx: Tx,
  {
    userId,
    passwordHash,
    keptSessionId,
  }: { userId: string; passwordHash: string | null; keptSessionId: string | null },
  now: Date,
): Promise<boolean> {
  if ((await lockUser(tx, userId)) === null) return false
  await updateUserPassword(tx, userId, passwordHash, now)
  await deleteSessionsOf(tx, userId, keptSessionId)
  await deleteLoginChallengesOf(tx, userId)
  await deleteAccountLinks(tx, userId)
  await hintAccessChanged(tx)
  return true
}
