import {
  type NewSession,
  SESSION_IDLE_MS,
  type SessionOwner,
  startSession,
} from '../../access/session-access.ts'
import { listSessions } from '../../access/sessions-queries.ts'
import type { Db, Tx } from '../../db/db-types.ts'
import type { Browser } from '../../http/route/browser-of.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import { networkOf } from '../../lib/net/network-of.ts'
import { suppressionKey } from '../../mime/address.ts'
import type { PasswordDeps } from '../passwords/account-deps.ts'
import type { Passwords } from '../passwords/password-hash.ts'
import { findUser, findUserByEmail, lockUser, rehashUserPassword, type User } from '../users/users-queries.ts'
import { beginAttempt, endAttempt, type LoginAttempt } from './login-attempts.ts'
import { insertLoginChallenge, type LoginChallenge } from './login-challenges-queries.ts'
import { countSecondFactors } from './second-factors-queries.ts'

const CHALLENGE_MS = 10 * 60_000
const RECENT_SESSIONS_MAX = 50

/** The second factors that can complete a login. One of them is required. */
export type SecondFactor = 'totp' | 'passkey' | 'recovery_code'

export type Login = { started: NewSession } | { challenge: LoginChallenge; methods: readonly SecondFactor[] }

/**
 * Checks the password, which completes a login without a second factor. An unknown user takes the same time and gets
 * the same error as a wrong password. Throws ApiError: 401, 429.
 */
export async function logInWithPassword(
  { db, clock, passwords }: PasswordDeps,
  { email, password }: { email: string; password: string },
  browser: Browser,
): Promise<Login> {
  passwords.requireRoom()
  const now = clock.now()
  const account = suppressionKey(email)
  const user = await findUserByEmail(db, account)
  const attempt: LoginAttempt = { what: 'login', ipAddress: browser.ipAddress, account }
  const isKnown = await isKnownNetwork(db, user, browser, now)
  await beginAttempt(db, attempt, now, isKnown)
  if (!(await passwords.verify(password, user?.passwordHash ?? null)) || user === null)
    throw new ApiError('invalid_credentials')
  await endAttempt(db, attempt, now, isKnown)
  await renewHash(db, passwords, user, password)
  const login = await db.transaction(async (tx) => {
    const current = await lockUser(tx, user.id)
    // The verified password must still be the current one. A hash with newer parameters is the same password.
    if (current?.passwordChangedAt?.getTime() !== user.passwordChangedAt?.getTime()) return null
    return startOrChallenge(tx, { userId: user.id, ...browser }, now)
  })
  if (login === null) throw new ApiError('invalid_credentials')
  return login
}

/**
 * Completes the first step of a login: starts the session, or requires a second factor if the user has one.
 * @param sessionMs the lifetime of the session; default: the longest
 */
export async function startOrChallenge(
  tx: Tx,
  owner: SessionOwner,
  now: Date,
  sessionMs: number | null = null,
): Promise<Login> {
  const methods = methodsOf(await countSecondFactors(tx, owner.userId))
  if (methods.length === 0) return { started: await startSession(tx, owner, now, sessionMs ?? undefined) }
  const challenge = newChallenge(owner.userId, now, sessionMs)
  await insertLoginChallenge(tx, challenge)
  return { challenge, methods }
}

/** Returns the second factors of a user. Recovery codes alone are none. */
function methodsOf({
  totpEnabled,
  passkeyCount,
  recoveryCodesLeft,
}: Awaited<ReturnType<typeof countSecondFactors>>) {
  const methods: SecondFactor[] = []
  if (totpEnabled) methods.push('totp')
  if (passkeyCount > 0) methods.push('passkey')
  if (methods.length > 0 && recoveryCodesLeft > 0) methods.push('recovery_code')
  return methods
}

function newChallenge(userId: string, now: Date, sessionMs: number | null): LoginChallenge {
  return {
    id: newId(now.getTime()),
    userId,
    tries: 0,
    sessionMs,
    createdAt: now,
    expiresAt: new Date(now.getTime() + CHALLENGE_MS),
  }
}

/**
 * Returns whether the user already has a session from this network. Runs for unknown users too, so that they take the
 * same time.
 */
async function isKnownNetwork(
  db: Db,
  user: User | null,
  { ipAddress }: Browser,
  now: Date,
): Promise<boolean> {
  const seenAfter = new Date(now.getTime() - SESSION_IDLE_MS)
  const userId = user?.id ?? newId(now.getTime())
  const sessions = await listSessions(db, userId, now, seenAfter, RECENT_SESSIONS_MAX)
  const network = networkOf(ipAddress)
  return sessions.some((session) => networkOf(session.ipAddress) === network)
}

async function renewHash(db: Db, passwords: Passwords, user: User, password: string): Promise<void> {
  const { passwordHash } = user
  if (passwordHash === null || !passwords.isOutdated(passwordHash)) return
  await rehashUserPassword(db, user.id, passwordHash, await passwords.hash(password))
}

/**
 * Requires the password of a logged-in user again, before an action that an unattended browser must not allow. Throws
 * ApiError: 422 under `field`, 429. Returns the user.
 */
export async function confirmPassword(
  { db, clock, passwords }: PasswordDeps,
  {
    userId,
    password,
    field,
    ipAddress,
  }: { userId: string; password: string; field: string; ipAddress: string },
): Promise<User> {
  passwords.requireRoom()
  const now = clock.now()
  const attempt: LoginAttempt = { what: 'password', ipAddress, account: userId }
  await beginAttempt(db, attempt, now)
  const user = await findUser(db, userId)
  if (user === null) throw new ApiError('not_logged_in')
  if (!(await passwords.verify(password, user.passwordHash))) throw wrongPassword(field)
  await endAttempt(db, attempt, now)
  return user
}

export const wrongPassword = (field: string): ApiError =>
  invalidField(field, `The ${field} field is not your password.`)
