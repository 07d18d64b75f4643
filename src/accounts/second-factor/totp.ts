import type { Queryable } from '../../db/db-types.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import { lockUser, type User } from '../users-queries.ts'
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

/** A secret for an authenticator app, which counts once a code of it was seen. Throws ApiError (409): there is one. */
export async function startTotp(
  { db, clock, secret: master }: FactorDeps,
  user: Pick<User, 'id' | 'email'>,
): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret()
  const sealed = sealTotpSecret(deriveTotpKey(master), user.id, secret)
  const isBegun = await putPendingTotp(db, user.id, sealed, clock.now())
  if (!isBegun) throw new ApiError('conflict', 'An authenticator app is in use already. Turn it off first.')
  return totpSecretToJson(secret, user.email)
}

/**
 * From now on logins need a code.
 * @returns new recovery codes, in place of all there were
 * Throws ApiError: 422 for a wrong code, 409 where nothing waits for one.
 */
export async function enableTotp(
  { db, clock, secret: master }: FactorDeps,
  userId: string,
  code: string,
): Promise<string[]> {
  const now = clock.now()
  const totp = await findTotp(db, userId)
  if (totp === null || totp.confirmedAt !== null)
    throw new ApiError('conflict', 'No authenticator app waits for its first code.')
  const step = matchTotpStep(openTotpSecret(deriveTotpKey(master), userId, totp.sealedSecret), code, now)
  if (step === null) throw invalidField('code', 'The code is not right. Is the clock of the device right?')
  return db.transaction(async (tx) => {
    if ((await lockUser(tx, userId)) === null || !(await confirmTotp(tx, totp, step, now)))
      throw new ApiError('conflict', 'No authenticator app waits for its first code.')
    return renewRecoveryCodes(tx, master, userId, now)
  })
}

/** Throws ApiError (409): none is in use. */
export async function disableTotp({ db }: Pick<FactorDeps, 'db'>, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockUser(tx, userId)
    if (!(await deleteTotp(tx, userId))) throw new ApiError('conflict', 'No authenticator app is in use.')
    await forgetUselessCodes(tx, userId)
  })
}

/** Takes a code of the user's app: true once for each, whoever else brings the same at the same time. */
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
