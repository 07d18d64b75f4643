import type { LoggedIn } from '../../access/session-access.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import type { PasswordDeps } from '../passwords/account-deps.ts'
import { confirmPassword } from '../sessions/log-in-with-password.ts'
import { findUser, type User } from '../users/users-queries.ts'

/** The time after a login during which the password is not required again. */
export const RECENT_LOGIN_MS = 15 * 60_000

interface Proof {
  session: Pick<LoggedIn, 'userId' | 'startedAt'>
  password: string | undefined
  ipAddress: string
}

/**
 * Requires the password or a recent login before changes to login methods. An unattended browser or a stolen cookie
 * must not let another person add a passkey. Throws ApiError: 403, 422, 429.
 */
export async function proveOwner(deps: PasswordDeps, proof: Proof): Promise<User> {
  const { session, password } = proof
  if (password !== undefined) return confirm(deps, proof, password)
  const user = await requireUser(deps, proof)
  if (deps.clock.now().getTime() - session.startedAt.getTime() >= RECENT_LOGIN_MS)
    throw new ApiError('recent_login_required')
  return user
}

/**
 * Requires the password even after a recent login. A user without a password needs a recent login. Throws ApiError:
 * 403, 422, 429.
 */
export async function proveWithPassword(deps: PasswordDeps, proof: Proof): Promise<User> {
  const { password } = proof
  if (password !== undefined) return confirm(deps, proof, password)
  if ((await requireUser(deps, proof)).passwordHash !== null)
    throw invalidField('password', 'The password field is required.')
  return proveOwner(deps, proof)
}

function confirm(deps: PasswordDeps, { session, ipAddress }: Proof, password: string): Promise<User> {
  return confirmPassword(deps, { userId: session.userId, password, field: 'password', ipAddress })
}

async function requireUser({ db }: PasswordDeps, { session }: Proof): Promise<User> {
  const user = await findUser(db, session.userId)
  if (user === null) throw new ApiError('not_logged_in')
  return user
}
