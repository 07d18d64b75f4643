import type { LoggedIn } from '../../access/session-access.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { PasswordDeps } from '../passwords/account-deps.ts'
import { requireGoodPassword } from '../passwords/password-rules.ts'
import { confirmPassword, wrongPassword } from '../sessions/log-in-with-password.ts'
import { lockUser } from '../users/users-queries.ts'
import { setPassword } from './set-password.ts'

/** Changes a user's password and ends all other sessions. Throws ApiError: 422, 429. */
export async function changePassword(
  deps: PasswordDeps,
  { userId, sessionId }: Pick<LoggedIn, 'userId' | 'sessionId'>,
  { from, to, ipAddress }: { from: string; to: string; ipAddress: string },
): Promise<void> {
  const given = { userId, password: from, field: 'current_password', ipAddress }
  const user = await confirmPassword(deps, given)
  requireGoodPassword(to, user.email, 'new_password')
  const passwordHash = await deps.passwords.hash(to)
  const change = { userId, passwordHash, keptSessionId: sessionId }
  await deps.db.transaction(async (tx) => {
    const current = await lockUser(tx, userId)
    if (current === null) throw new ApiError('not_logged_in')
    // The old password must not overwrite a password that was set in the meantime, by a link or in another session.
    if (current.passwordChangedAt?.getTime() !== user.passwordChangedAt?.getTime())
      throw wrongPassword('current_password')
    await setPassword(tx, change, deps.clock.now())
  })
}
