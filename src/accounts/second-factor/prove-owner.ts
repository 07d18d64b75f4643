import type { LoggedIn } from '../../access/session-access.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import { type AccountDeps, confirmPassword } from '../sessions/log-in.ts'
import { findUser, type User } from '../users-queries.ts'

/** So long after a login nobody is asked for the password again. */
export const RECENT_LOGIN_MS = 15 * 60_000

export interface Proof {
  session: Pick<LoggedIn, 'userId' | 'startedAt'>
  password: string | undefined
  ipAddress: string
}

/**
 * Before what lets people in is changed: the password, or a login of just now. A browser that was left alone, or a cookie
 * that was stolen, must not become a passkey of somebody else's. Throws ApiError: 403, 422, 429.
 */
export async function proveOwner(deps: AccountDeps, proof: Proof): Promise<User> {
  const { session, password } = proof
  if (password !== undefined) return confirm(deps, proof, password)
  const user = await requireUser(deps, proof)
  if (deps.clock.now().getTime() - session.startedAt.getTime() >= RECENT_LOGIN_MS)
    throw new ApiError('recent_login_required')
  return user
}

/** The same where a login of just now is not enough; it is for who has no password. Throws ApiError: 403, 422, 429. */
export async function proveWithPassword(deps: AccountDeps, proof: Proof): Promise<User> {
  const { password } = proof
  if (password !== undefined) return confirm(deps, proof, password)
  if ((await requireUser(deps, proof)).passwordHash !== null)
    throw invalidField('password', 'The password field is required.')
  return proveOwner(deps, proof)
}

function confirm(deps: AccountDeps, { session, ipAddress }: Proof, password: string): Promise<User> {
  return confirmPassword(deps, { userId: session.userId, password, field: 'password', ipAddress })
}

async function requireUser({ db }: AccountDeps, { session }: Proof): Promise<User> {
  const user = await findUser(db, session.userId)
  if (user === null) throw new ApiError('not_logged_in')
  return user
}
