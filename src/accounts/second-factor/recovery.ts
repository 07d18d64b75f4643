import type { Queryable, Tx } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { lockUser } from '../users-queries.ts'
import type { FactorDeps } from './factor-deps.ts'
import { deriveRecoveryKey, hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { deleteRecoveryCodes, replaceRecoveryCodes, spendRecoveryCode } from './recovery-codes-queries.ts'
import { countSecondFactors } from './second-factors-queries.ts'

/** New codes in place of all there were; they are shown this once. The user is locked by the caller. */
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

/** Throws ApiError (409) where there is nothing that they would stand in for. */
export async function replaceCodes({ db, clock, secret }: FactorDeps, userId: string): Promise<string[]> {
  return db.transaction(async (tx) => {
    await lockUser(tx, userId)
    const { totpEnabled, passkeyCount } = await countSecondFactors(tx, userId)
    if (!totpEnabled && passkeyCount === 0)
      throw new ApiError('conflict', 'Recovery codes stand in for a second factor, and there is none.')
    return renewRecoveryCodes(tx, secret, userId, clock.now())
  })
}

/** Without anything that they stand in for, codes would be a second way in that nobody thinks of. */
export async function forgetUselessCodes(tx: Tx, userId: string): Promise<void> {
  const { totpEnabled, passkeyCount } = await countSecondFactors(tx, userId)
  if (!totpEnabled && passkeyCount === 0) await deleteRecoveryCodes(tx, userId)
}

/** Takes a recovery code: true once for each. */
export async function spendCode(
  db: Queryable,
  master: Buffer,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const hash = hashRecoveryCode(deriveRecoveryKey(master), userId, code)
  return hash !== null && spendRecoveryCode(db, userId, hash)
}
