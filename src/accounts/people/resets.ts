import type { Db } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hashToken } from '../../lib/crypto/random-token.ts'
import type { Log } from '../../lib/log.ts'
import { suppressionKey } from '../../mime/address.ts'
import type { PasswordDeps } from '../passwords/account-deps.ts'
import { requireGoodPassword } from '../passwords/password-rules.ts'
import { admitSilently, beginAttempt, followLink } from '../sessions/login-attempts.ts'
import { makeUserLink } from '../users/account-links.ts'
import { deleteEarlierLinks, findAccountLink, takeAccountLink } from '../users/account-links-queries.ts'
import type { SendAccountMail } from '../users/account-mail.ts'
import { resetMail } from '../users/mail-texts.ts'
import { findUser, findUserByEmail, lockUser, type User } from '../users/users-queries.ts'
import { setPassword } from './set-password.ts'

export interface ResetDeps extends PasswordDeps {
  log: Log
  publicUrl: string
  sendAccountMail: SendAccountMail
}

/**
 * Creates a link to set a new password, replacing the user's earlier links. The database stores only the hash of the
 * token.
 */
export async function makeResetLink(db: Db, userId: string, publicUrl: string, now: Date): Promise<string> {
  return makeUserLink(db, { userId, kind: 'reset', publicUrl, keepsEarlier: false }, now)
}

/**
 * Starts sending a link to the user of an address, if there is one. Returns before the outcome is known, so that
 * neither the response nor its timing reveals whether the address has an account. Throws ApiError (429).
 */
export async function requestReset(deps: ResetDeps, email: string, ipAddress: string): Promise<void> {
  const { db, clock, log } = deps
  const now = clock.now()
  const account = suppressionKey(email)
  await beginAttempt(db, { what: 'reset', ipAddress, account }, now)
  const isAdmitted = await admitSilently(db, { what: 'mail', ipAddress, account }, now)
  const user = await findUserByEmail(db, account)
  if (!isAdmitted || user === null) return
  // The response does not wait, so errors are only logged.
  sendReset(deps, user).catch((error: unknown) => log.error({ err: error }, 'a password reset was not sent'))
}

async function sendReset(
  { db, clock, log, publicUrl, sendAccountMail }: ResetDeps,
  user: User,
): Promise<void> {
  const now = clock.now()
  const request = { userId: user.id, kind: 'reset', publicUrl, keepsEarlier: true } as const
  const link = await makeUserLink(db, request, now)
  if ((await sendAccountMail(resetMail(user, link))) !== 'unsendable')
    return deleteEarlierLinks(db, { userId: user.id, kind: 'reset', before: now })
  log.warn(
    { user_id: user.id },
    'a password reset could not be sent, as no verified domain can; "sendwright user reset-password" makes a link',
  )
}

/** Sets a new password with a reset link and ends all sessions. Throws ApiError: 410, 422, 429. */
export async function redeemReset(
  { db, clock, passwords }: PasswordDeps,
  { token, password, ipAddress }: { token: string; password: string; ipAddress: string },
): Promise<User> {
  const now = clock.now()
  const tokenHash = hashToken(token)
  const user = await followLink(db, ipAddress, now, () => peekReset(db, tokenHash, now))
  // Validate before using up the link, so that a mistyped password can be corrected.
  requireGoodPassword(password, user.email)
  const passwordHash = await passwords.hash(password)
  return db.transaction(async (tx) => {
    // Lock the user first, like every change of a user.
    await lockUser(tx, user.id)
    const link = await takeAccountLink(tx, 'reset', tokenHash, now)
    if (link?.userId !== user.id) throw new ApiError('invalid_link')
    if (!(await setPassword(tx, { userId: user.id, passwordHash, keptSessionId: null }, now)))
      throw new ApiError('invalid_link')
    return user
  })
}

async function peekReset(db: Db, tokenHash: Buffer, now: Date): Promise<User> {
  const userId = (await findAccountLink(db, 'reset', tokenHash, now))?.userId ?? null
  const user = userId === null ? null : await findUser(db, userId)
  if (user === null) throw new ApiError('invalid_link')
  return user
}
