import type { Db } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hashToken, newToken } from '../../lib/crypto/random-token.ts'
import type { Log } from '../../lib/log.ts'
import { suppressionKey } from '../../mime/address.ts'
import { accountLink, LINK_LIFETIME_MS } from '../account-links.ts'
import {
  deleteAccountLinks,
  findAccountLink,
  insertAccountLink,
  takeAccountLink,
} from '../account-links-queries.ts'
import type { SendAccountMail } from '../account-mail.ts'
import { resetMail } from '../mail-texts.ts'
import type { AccountDeps } from '../sessions/log-in.ts'
import { admitSilently, beginAttempt, followLink } from '../sessions/login-attempts.ts'
import { findUser, findUserByEmail, lockUser, type User } from '../users-queries.ts'
import { requireGoodPassword } from './password-rules.ts'
import { setPassword } from './set-password.ts'

export interface ResetDeps extends AccountDeps {
  log: Log
  publicUrl: string
  sendAccountMail: SendAccountMail
}

/** Makes a link to set a new password, in place of the user's links before. The database keeps only the token's hash. */
export async function makeResetLink(db: Db, userId: string, publicUrl: string, now: Date): Promise<string> {
  const { token, hash } = newToken()
  await db.transaction(async (tx) => {
    await lockUser(tx, userId)
    await deleteAccountLinks(tx, userId)
    const expiresAt = new Date(now.getTime() + LINK_LIFETIME_MS)
    await insertAccountLink(tx, { tokenHash: hash, kind: 'reset', userId, createdAt: now, expiresAt })
  })
  return accountLink(publicUrl, 'reset', token)
}

/**
 * Begins to send a link to whoever has the address, if anybody has. Returns before it is known, so that neither the answer
 * nor the time that it takes tells. Throws ApiError (429).
 */
export async function askForReset(deps: ResetDeps, email: string, ipAddress: string): Promise<void> {
  const { db, clock, log } = deps
  const now = clock.now()
  const account = suppressionKey(email)
  await beginAttempt(db, { what: 'reset', ipAddress, account }, now)
  const isAdmitted = await admitSilently(db, { what: 'mail', ipAddress, account }, now)
  const user = await findUserByEmail(db, account)
  if (!isAdmitted || user === null) return
  // Its errors have no one to be told to.
  sendReset(deps, user).catch((error: unknown) => log.error({ err: error }, 'a password reset was not sent'))
}

async function sendReset(
  { db, clock, log, publicUrl, sendAccountMail }: ResetDeps,
  user: User,
): Promise<void> {
  const link = await makeResetLink(db, user.id, publicUrl, clock.now())
  if ((await sendAccountMail(resetMail(user, link))) !== 'unsendable') return
  log.warn(
    { user_id: user.id },
    'a password reset could not be sent, as no verified domain can; "sendwright user reset-password" makes a link',
  )
}

/** Sets the password that its user could not remember, and ends all sessions. Throws ApiError: 410, 422, 429. */
export async function redeemReset(
  { db, clock, passwords }: AccountDeps,
  { token, password, ipAddress }: { token: string; password: string; ipAddress: string },
): Promise<User> {
  const now = clock.now()
  const tokenHash = hashToken(token)
  const whose = await followLink(db, ipAddress, now, () => peekReset(db, tokenHash, now))
  // Judged before the link is used up: who mistypes tries again.
  requireGoodPassword(password, whose.email)
  const passwordHash = await passwords.hash(password)
  return db.transaction(async (tx) => {
    // Locked in the order of everything that changes a user.
    await lockUser(tx, whose.id)
    const link = await takeAccountLink(tx, 'reset', tokenHash, now)
    if (link?.userId !== whose.id) throw new ApiError('invalid_link')
    if (!(await setPassword(tx, { userId: whose.id, passwordHash, keptSessionId: null }, now)))
      throw new ApiError('invalid_link')
    return whose
  })
}

async function peekReset(db: Db, tokenHash: Buffer, now: Date): Promise<User> {
  const userId = (await findAccountLink(db, 'reset', tokenHash, now))?.userId ?? null
  const user = userId === null ? null : await findUser(db, userId)
  if (user === null) throw new ApiError('invalid_link')
  return user
}
