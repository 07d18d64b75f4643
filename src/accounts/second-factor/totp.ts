import type { LoggedIn } from '../../access/session-access.ts'
import { hasSession } from '../../access/sessions-queries.ts'
import type { Queryable } from '../../db/db-types.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import { lockUser, type User } from '../users/users-queries.ts'
import type { FactorDeps } from './factor-deps.ts'
import { forgetUselessCodes, renewRecoveryCodes } from './recovery.ts'
import {
  deriveTotpKey,
  matchTotpStep,
  newTotpSecret,
  openTotpSecret,
  sealTotpSecret,
  totpSecretToJson,
} from './totp-codes.ts'
import { confirmTotp, deleteTotp, findTotp, putPendingTotp, spendTotpStep } from './totp-queries.ts'

/**
 * Creates a secret for an authenticator app, which is enabled by its first code. Throws ApiError (409) if an app is
 * already enabled.
 */
export async function startTotp(
  { db, clock, secret: master }: FactorDeps,
  user: Pick<User, 'id' | 'email'>,
): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret()
  const sealedSecret = sealTotpSecret(deriveTotpKey(master), user.id, secret)
  const isStarted = await putPendingTotp(db, user.id, sealedSecret, clock.now())
  if (!isStarted) throw new ApiError('conflict', 'An authenticator app is already enabled. Disable it first.')
  return totpSecretToJson(secret, user.email)
}

/**
 * Enables the authenticator app: logins then need a code. Throws ApiError: 401 if the session has ended, 422 for a wrong
 * code, 409 if no app awaits confirmation.
 * @returns new recovery codes, which replace all earlier ones
 */
export async function enableTotp(
  { db, clock, secret: master }: FactorDeps,
  { userId, sessionId }: Pick<LoggedIn, 'userId' | 'sessionId'>,
  code: string,
): Promise<string[]> {
  const now = clock.now()
  const totp = await findTotp(db, userId)
  if (totp === null || totp.confirmedAt !== null)
    throw new ApiError('conflict', 'No authenticator app awaits its first code.')
  const step = matchTotpStep(openTotpSecret(deriveTotpKey(master), userId, totp.sealedSecret), code, now)
  if (step === null) throw invalidField('code', 'The code is wrong. Check the clock of the device.')
  return db.transaction(async (tx) => {
    await lockUser(tx, userId)
    // A new password may have ended the session meanwhile: its app would lock out the person who set the password.
    if (!(await hasSession(tx, userId, sessionId))) throw new ApiError('not_logged_in')
    if (!(await confirmTotp(tx, totp, step, now)))
      throw new ApiError('conflict', 'No authenticator app awaits its first code.')
    return renewRecoveryCodes(tx, master, userId, now)
  })
}

/** Disables the authenticator app. Throws ApiError (409) if none is enabled. */
export async function disableTotp({ db }: Pick<FactorDeps, 'db'>, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockUser(tx, userId)
    if (!(await deleteTotp(tx, userId))) throw new ApiError('conflict', 'No authenticator app is enabled.')
    await forgetUselessCodes(tx, userId)
  })
}

/** Uses up a code of the user's app. Returns true for only one of several simultaneous requests with the same code. */
export async function spendTotpCode(
  db: Queryable,
  master: Buffer,
  { userId, code }: { userId: string; code: string },
  now: Date,
): Promise<boolean> {
  const totp = await findTotp(db, userId)
  if (totp === null || totp.confirmedAt === null) return false
  const step = matchTotpStep(openTotpSecret(deriveTotpKey(master), userId, totp.sealedSecret), code, now)
  return step !== null && spendTotpStep(db, totp, step)
}
