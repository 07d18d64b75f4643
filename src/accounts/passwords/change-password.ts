import type { LoggedIn } from '../../access/session-access.ts'
import { ApiError } from '../../lib/api-error.ts'
import { type AccountDeps, confirmPassword, notYourPassword } from '../sessions/log-in.ts'
import { lockUser } from '../users-queries.ts'
import { requireGoodPassword } from './password-rules.ts'
import { setPassword } from './set-password.ts'

/** A person sets another password; all other sessions end. Throws ApiError: 422, 429. */
export async function changePassword(
  deps: AccountDeps,
  { userId, sessionId }: Pick<LoggedIn, 'userId' | 'sessionId'>,
  { from, to, ipAddress }: { from: string; to: string; ipAddress: string },
): Promise<void> {
  const given = { userId, password: from, field: 'current_password', ipAddress }
  const user = await confirmPassword(deps, given)
  requireGoodPassword(to, user.email, 'new_password')
  const passwordHash = await deps.passwords.hash(to)
  const change = { userId, passwordHash, keptSessionId: sessionId }
  await deps.db.transaction(async (tx) => {
    const still = await lockUser(tx, userId)
    if (still === null) throw new ApiError('not_logged_in')
    // Who knew the old password must not undo what its user set meanwhile, by a link or from elsewhere.
    if (still.passwordChangedAt?.getTime() !== user.passwordChangedAt?.getTime())
      throw notYourPassword('current_password')
    await setPassword(tx, change, deps.clock.now())
  })
}
