import type { Tx } from '../../db/db-types.ts'
import { deletePasskeys } from './passkeys-queries.ts'
import { deleteRecoveryCodes } from './recovery-codes-queries.ts'
import { deleteTotp } from './totp-queries.ts'

export interface Forgotten {
  hadTotp: boolean
  passkeyCount: number
}

/** Deletes all of a user's second factors, after their loss or with the user. The caller has locked the user. */
export async function forgetSecondFactors(tx: Tx, userId: string): Promise<Forgotten> {
  const hadTotp = await deleteTotp(tx, userId)
  const passkeyCount = await deletePasskeys(tx, userId)
  await deleteRecoveryCodes(tx, userId)
  return { hadTotp, passkeyCount }
}
