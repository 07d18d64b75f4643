import type { Tx } from '../../store/db.ts'
import { deletePasskeys } from '../../store/passkeys.ts'
import { deleteRecoveryCodes } from '../../store/recovery-codes.ts'
import { deleteTotp } from '../../store/totp.ts'

export interface Forgotten {
  hadTotp: boolean
  passkeyCount: number
}

/** All of a user's second factors: for who lost them all, and with the user. The user is locked by the caller. */
export async function forgetSecondFactors(tx: Tx, userId: string): Promise<Forgotten> {
  const hadTotp = await deleteTotp(tx, userId)
  const passkeyCount = await deletePasskeys(tx, userId)
  await deleteRecoveryCodes(tx, userId)
  return { hadTotp, passkeyCount }
}
