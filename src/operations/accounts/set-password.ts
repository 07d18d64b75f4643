import { deleteAccountLinks } from '../../store/account-links.ts'
import type { Tx } from '../../store/db.ts'
import { hintAccessChanged } from '../../store/domains.ts'
import { deleteLoginChallengesOf } from '../../store/login-challenges.ts'
import { deleteSessionsOf } from '../../store/sessions.ts'
import { lockUser, updateUserPassword } from '../../store/users.ts'

/**
 * A new password ends whatever the old one began: sessions, logins half done, links to set another.
 * @param keptSessionId whose person set it, and is not logged out; null: none
 * False: there is no such user any more.
 */
export async function setPassword(
  tx: Tx,
  {
    userId,
    passwordHash,
    keptSessionId,
  }: { userId: string; passwordHash: string; keptSessionId: string | null },
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
