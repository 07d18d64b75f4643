import type { Queryable, Tx } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { countSecondFactors } from '../sessions/second-factors-queries.ts'
import { lockUser } from '../users/users-queries.ts'
import type { FactorDeps } from './factor-deps.ts'
import { deriveRecoveryKey, hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { deleteRecoveryCodes, replaceRecoveryCodes, spendRecoveryCode } from './recovery-codes-queries.ts'

/** Replaces all recovery codes and returns the new ones, which are shown only once. The caller has locked the user. */
export async function renewRecoveryCodes(
  tx: Tx,
  master: Buffer,
  userId: string,
  now: Date,
): Promise<string[]> {
  const codes = newRecoveryCodes()
  const key = deriveRecoveryKey(master)
  const hashes = codes.map((code) => hashRecoveryCode(key, userId, code) as Buffer)
  await replaceRecoveryCodes(tx, userId, hashes, now)
  return codes
}

/** Replaces the recovery codes. Throws ApiError (409) if the user has no second factor. */
export async function replaceCodes({ db, clock, secret }: FactorDeps, userId: string): Promise<string[]> {
  return db.transaction(async (tx) => {
    await lockUser(tx, userId)
    const { totpEnabled, passkeyCount } = await countSecondFactors(tx, userId)
    if (!totpEnabled && passkeyCount === 0)
      throw new ApiError('conflict', 'Recovery codes replace a second factor, and there is none.')
    return renewRecoveryCodes(tx, secret, userId, clock.now())
  })
}

/** Deletes the recovery codes of a user without a second factor: they would be a forgotten way to log in. */
export async function forgetUselessCodes(tx: Tx, userId: string): Promise<void> {
  const { totpEnabled, passkeyCount } = await countSecondFactors(tx, userId)
  if (!totpEnabled && passkeyCount === 0) await deleteRecoveryCodes(tx, userId)
}

/** Uses up a recovery code. Returns true once per code. */
export async function spendCode(
  db: Queryable,
  master: Buffer,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const hash = hashRecoveryCode(deriveRecoveryKey(master), userId, code)
  return hash !== null && spendRecoveryCode(db, userId, hash)
}
